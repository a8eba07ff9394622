import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveSource } from '../../../symcontact_ros/web/page/sources/live.js';
import { readFrame, writeFrame } from '../../../symcontact_ros/web/page/sources/frames.js';

const energies = { kinetic: 1, potential: 2, elastic: 3, dissipated: 4, workIn: 5, manifold: 6, integration: 7, start: 8, mechanical: 9, residual: 10 };
const instant = (time) => ({
  time, steps: 1000 * time, motions: Float64Array.from({ length: 26 }, (_, i) => i), energies,
  contacts: [{ a: 0, b: 1, point: [1, 2, 3], normal: [0, 1, 0], force: [4, 5, 6], distance: -0.01 }],
  proximities: [{ a: 0, b: 1, pointA: [1, 0, 0], pointB: [2, 0, 0], distance: 1 }],
});

test('a frame is read as it was written', () => {
  assert.deepEqual(readFrame(writeFrame(instant(2))), instant(2));
});

test('broken frames are refused', () => {
  const good = writeFrame(instant(1));
  assert.throws(() => readFrame(good.slice(0, -8)), /size/);
  assert.throws(() => readFrame(good.slice(0, -3)), /broken/);
  assert.throws(() => readFrame(new ArrayBuffer(8)), /format/);
});

class Socket {
  static made = [];
  constructor() { this.sent = []; this.readyState = 1; Socket.made.push(this); }
  send(text) { this.sent.push(JSON.parse(text)); }
}

function opened() {
  Socket.made = [];
  const source = new LiveSource({ socket: 'ws://here' }, Socket);
  source.connect();
  const [socket] = Socket.made;
  const description = { bodies: [{ name: 'a' }, { name: 'b' }], symbols: [], stepSize: 1e-3 };
  const geometry = { bodies: [{ com: [0, 0, 0], mass: 1 }, { com: [0, 0, 0], mass: 1 }], shapes: [] };
  socket.onmessage({ data: JSON.stringify({ type: 'model', description, geometry, values: { m: 1 } }) });
  return { source, socket };
}

test('a live source takes instants and sends commands', () => {
  const { source, socket } = opened();
  socket.onmessage({ data: writeFrame(instant(1)) });
  socket.onmessage({ data: writeFrame(instant(2)) });
  assert.deepEqual(source.update().map(({ time }) => time), [1, 2]);
  assert.deepEqual(source.update(), []);
  source.setParameters({ m: 3 });
  source.pause();
  source.rewind(2);
  assert.deepEqual(socket.sent, [{ type: 'set', values: { m: 3 } }, { type: 'pause' }, { type: 'rewind', seconds: 2 }]);
});

test('going back in time cuts what was seen', () => {
  const { source, socket } = opened();
  const cuts = [];
  source.on('cut', (time) => cuts.push(time));
  for (const time of [1, 2, 0.5]) socket.onmessage({ data: writeFrame(instant(time)) });
  const taken = () => source.update().map(({ time }) => time);
  assert.deepEqual(taken(), [1, 2]); // all that was before is taken first
  assert.deepEqual(cuts, []);
  assert.deepEqual(taken(), [0.5]);
  assert.deepEqual(cuts, [0.5]);
});

test('what was just set here is not replaced by what comes back of before', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { source, socket } = opened();
  const hear = (message) => socket.onmessage({ data: JSON.stringify(message) });
  source.setParameters({ m: 3 });
  hear({ type: 'values', values: { m: 2 } });
  assert.equal(source.values.m, 3);
  source.given.clear(); // as after a while, or a refusal
  context.mock.timers.tick(500);
  assert.equal(source.values.m, 2);
});

test('switches are shown and set', () => {
  const { source, socket } = opened();
  socket.onmessage({ data: JSON.stringify({ type: 'switches', switches: [{ name: '/a:b', label: 'b', value: true }] }) });
  assert.equal(source.switches[0].value, true);
  source.setSwitch('/a:b', false);
  assert.deepEqual(socket.sent.at(-1), { type: 'switch', name: '/a:b', value: false });
});

test('a lost connection is tried again, ever more patiently', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { socket, source } = opened();
  socket.onclose();
  assert.equal(Socket.made.length, 1);
  context.mock.timers.tick(250);
  assert.equal(Socket.made.length, 2);
  Socket.made[1].onclose();
  context.mock.timers.tick(499);
  assert.equal(Socket.made.length, 2);
  context.mock.timers.tick(1);
  assert.equal(Socket.made.length, 3);
  Socket.made[2].onopen();
  assert.equal(source.wait, 250);
});
