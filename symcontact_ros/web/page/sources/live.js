/** A source that shows a run elsewhere, by a WebSocket; docs/web.md, "Live protocol". */
import { Teller } from '../events.js';
import { readFrame } from './frames.js';

const FIRST_WAIT = 250; // [ms] before a connection is tried again; doubles
const LONGEST_WAIT = 8000;
const MOST_WAITING = 200; // instants between two frames of the page
const PULL_EVERY = 15; // [ms]

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
      page, Socket, isLive: true, isPlaying: true, isLooping: false, speed: 1, factor: 0, pull: null,
      fresh: [], wait: FIRST_WAIT, failure: '', end: Infinity, values: {}, pulled: 0,
    });
  }

  get can() {
    return { seek: false, loop: false, link: false, hash: false, drive: true, ...this.description?.can };
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
    else if (type === 'values') { Object.assign(this.values, message.values); this.tell('change'); }
    else if (type === 'geometry') { this.geometry = message.geometry; this.tell('change'); }
    else if (type === 'state') {
      this.isPlaying = message.playing;
      this.factor = message.factor ?? this.factor;
      this.ns = message.ns ?? this.ns;
      this.failure = message.failure ?? '';
      this.tell('state');
    } else if (type === 'restart') this.tell('restart');
    else if (type === 'cut') this.tell('cut', message.time);
    else if (type === 'refused') { this.tell('say', message.reason); this.tell('change'); }
  }

  takeModel({ description, geometry, values }) {
    const isAnother = this.description && JSON.stringify(this.description.bodies) !== JSON.stringify(description.bodies);
    if (isAnother) { location.reload(); return; } // another model: another page
    Object.assign(this, { description, geometry, values: { ...values } });
    this.tell('restart');
    this.tell('change');
    this.tell('connection', true);
  }

  see(instant) {
    if (!this.description) return;
    const isFirst = !this.instant;
    if (!isFirst && instant.time < this.instant.time) this.tell('cut', instant.time);
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
    const found = this.fresh;
    this.fresh = [];
    return found;
  }

  proximities() { return this.instant.proximities; }

  play() { this.send('play'); }
  pause() { this.send('pause'); }
  step(count = 1) { this.send('step', { count }); }
  reset() { this.send('reset'); }
  rewind(seconds) { this.send('rewind', { seconds }); }
  seek() {}
  setSpeed(speed) { this.speed = speed; this.send('speed', { speed }); }

  setParameters(values) { this.send('set', { values }); Object.assign(this.values, values); return ''; }

  setPull(pull) {
    this.pull = pull;
    if (!pull) this.send('release');
  }

  setEffort(joint, value) { this.send('effort', { joint, value }); }
  setTarget(joint, position) { this.send('target', { joint, position }); }
  releaseJoint(joint) { this.send('releaseJoint', { joint }); }
}
