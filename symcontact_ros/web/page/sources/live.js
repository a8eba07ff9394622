/** A source that shows a run elsewhere, by a WebSocket; docs/web.md, "Live protocol". */
import { Teller } from '../events.js';
import { MOTION } from '../scene.js';
import { readFrame } from './frames.js';

const FIRST_WAIT = 250; // [ms] before a connection is tried again; doubles
const LONGEST_WAIT = 8000;
const MOST_WAITING = 200; // instants between two frames of the page
const PULL_EVERY = 15; // [ms]
const OWN = 500; // [ms] for which a value that was set here is not replaced by an earlier one from there

const goesOn = (before, after) => after.time >= before.time && after.steps >= before.steps;

export class LiveSource extends Teller {
  /** Connect, and wait for what is simulated there. */
  static open(page) {
    const source = new LiveSource(page);
    return new Promise((done) => {
      source.ready = () => done(source);
      source.connect();
    });
  }

  constructor(page, Socket = WebSocket) {
    super();
    Object.assign(this, {
      page, Socket, isLive: true, isPlaying: true, repeats: false, speed: 1, factor: 0, pull: null,
      fresh: [], wait: FIRST_WAIT, failure: '', end: Infinity, values: {}, pulled: 0, given: new Map(), switches: [],
      taken: null,
    });
  }

  get can() {
    return { seek: false, loop: false, link: false, hash: false, drive: true, ...this.description?.can };
  }

  get isLooping() { return this.repeats; }

  set isLooping(value) {
    if (value !== this.repeats) this.send('repeat', { value });
    this.repeats = value;
  }

  get time() { return this.instant.time; }
  get steps() { return this.instant.steps; }
  get stepSize() { return this.description.stepSize; }

  /** Address of the socket: where the page came from, with its token. */
  get address() {
    if (this.page.socket) return this.page.socket;
    const { protocol, host, search } = location;
    return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/socket${search}`;
  }

  connect() {
    const socket = new this.Socket(this.address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => { this.wait = FIRST_WAIT; };
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.hear(JSON.parse(data));
      else this.see(readFrame(data));
    };
    socket.onclose = () => {
      this.tell('say', 'Not connected: trying again …');
      this.tell('connection', false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }

  send(type, what = {}) {
    if (this.socket.readyState === 1) this.socket.send(JSON.stringify({ type, ...what }));
  }

  /** Take a message. */
  hear(message) {
    const { type } = message;
    if (type === 'model') this.takeModel(message);
    else if (type === 'values') this.takeValues(message.values);
    else if (type === 'geometry') this.takeGeometry(message.geometry);
    else if (type === 'state') {
      this.isPlaying = message.playing;
      this.speed = message.speed ?? this.speed;
      this.factor = message.factor ?? this.factor;
      this.repeats = message.repeat ?? false;
      this.ns = message.ns ?? this.ns;
      this.failure = message.failure ?? '';
      this.tell('state');
    } else if (type === 'restart') this.tell('restart');
    else if (type === 'switches') { this.switches = message.switches; this.tell('switches'); }
    else if (type === 'equations') { this.equations = message.mathml; this.tell('equations'); }
    else if (type === 'say') this.tell('say', message.text);
    else if (type === 'refused') { this.given.clear(); this.tell('say', message.reason); }
  }

  takeModel({ description, geometry, values }) {
    const isAnother = this.description && JSON.stringify(this.description.bodies) !== JSON.stringify(description.bodies);
    if (isAnother) { location.reload(); return; } // another model: another page
    Object.assign(this, { description, geometry, values: { ...values }, fresh: [], taken: null });
    this.tell('restart');
    this.tell('change');
    this.tell('connection', true);
  }

  /** Take sizes and places of shapes; where bodies come or go, those of another model may be first. */
  takeGeometry(geometry) {
    if (geometry.bodies.length !== this.description?.bodies.length) return;
    this.geometry = geometry;
    this.tell('change');
  }

  /** Take values of symbols; what comes back of one that was just given here is older: it waits. */
  takeValues(values) {
    const since = performance.now() - OWN;
    clearTimeout(this.later);
    for (const [name, value] of Object.entries(values)) {
      if (!(this.given.get(name) > since)) this.values[name] = value;
      else this.later = setTimeout(() => this.takeValues(values), OWN);
    }
    this.tell('change');
  }

  /** Take an instant of this model. */
  see(instant) {
    if (instant.motions.length !== this.description?.bodies.length * MOTION) return;
    const isFirst = !this.instant;
    this.instant = instant;
    this.fresh.push(instant);
    if (this.fresh.length > MOST_WAITING) this.fresh.shift();
    const now = performance.now();
    if (this.pull && now - this.pulled > PULL_EVERY) {
      this.pulled = now;
      const { body, force, point } = this.pull.load(instant);
      this.send('push', { body: this.description.bodies[body].name, force, point });
    }
    if (isFirst) this.ready?.();
  }

  update() {
    const { fresh } = this;
    if (!fresh.length) return [];
    // Where time or steps go back, what comes after waits for the next frame: all is taken in its order.
    const { taken } = this;
    if (fresh[0].time < taken?.time) this.tell('cut', fresh[0].time);
    else if (fresh[0].steps < taken?.steps) this.tell('restart'); // while time goes on
    let count = 1;
    while (count < fresh.length && goesOn(fresh[count - 1], fresh[count])) count++;
    this.fresh = fresh.slice(count);
    this.taken = fresh[count - 1];
    return fresh.slice(0, count);
  }

  proximities() { return this.instant.proximities; }

  play() { this.send('play'); }
  pause() { this.send('pause'); }
  step(count = 1) { this.send('step', { count }); }
  reset() { this.send('reset'); }
  rewind(seconds) { this.send('rewind', { seconds }); }
  seek() {}
  setSpeed(speed) { this.speed = speed; this.send('speed', { speed }); }
  setSwitch(name, value) { this.send('switch', { name, value }); }

  setParameters(values) {
    this.send('set', { values });
    Object.assign(this.values, values);
    for (const name of Object.keys(values)) this.given.set(name, performance.now());
    return '';
  }

  setPull(pull) {
    this.pull = pull;
    if (!pull) this.send('release');
  }

  setEffort(joint, value) { this.send('effort', { joint, value }); }
  setTarget(joint, position) { this.send('target', { joint, position }); }
  releaseJoint(joint) { this.send('releaseJoint', { joint }); }
}
