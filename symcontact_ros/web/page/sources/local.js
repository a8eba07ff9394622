/** A source that simulates in this page. docs/web.md has what every source offers. */
import { DivergenceError, Engine } from '../engine.js';
import { Teller } from '../events.js';
import { geometryOf } from '../geometry.js';
import { partsOf, unpacked } from '../packing.js';
import { RecordedRun } from '../recorded.js';
import { MOTION } from '../scene.js';
import { Snapshots } from '../snapshots.js';

const BUDGET = 9; // [ms] of a frame for steps
const MOST_LOOKS = 40; // per frame
const FEWEST_LOOKS = 6;
const LOOKING = 1.5; // [ms] of a frame for looks, beyond the fewest
const PLACED = 4; // looks from one with motions to the next
const LONGEST_FRAME = 0.1; // [s] of the wall that are caught up with

export class LocalSource extends Teller {
  /**
   * Open a model.
   * @param {object} page - what the page carries: see docs/web.md
   * @param {function(number): string} pack - the packed engine of a variant
   */
  static async open(page, pack) {
    const source = new LocalSource(page, pack);
    await source.choose(0);
    return source;
  }

  constructor(page, pack) {
    super();
    Object.assign(this, { page, pack, isPlaying: false, isLooping: true, speed: 1, factor: 0, pull: null });
    this.isLive = false;
    this.variants = page.variants;
    this.failure = '';
    this.lookTime = 0.05; // [ms]
    this.snapshots = new Snapshots();
    this.modules = new Map();
    this.recorded = page.run ? new RecordedRun(page.run) : null;
  }

  /** What it can: the page hides the controls of all else. */
  get can() { return { seek: true, loop: true, link: true, drive: true, hash: true }; }

  /** Take another detector or integrator, from the start; values of symbols stay. */
  async choose(variant) {
    const values = this.engine ? this.values : {};
    const isPlaying = this.isPlaying;
    this.isPlaying = false;
    if (!this.modules.has(variant)) {
      const [text, wasm, image] = partsOf(await unpacked(this.pack(variant)));
      const description = JSON.parse(new TextDecoder().decode(text));
      this.modules.set(variant, { description, module: await WebAssembly.compile(wasm), image });
    }
    this.variant = variant;
    this.engine = await this.newEngine();
    this.recorded?.begin(this.engine);
    this.description = { ...this.engine.description, ...this.page.model };
    this.end = this.description.duration;
    const changed = Object.entries(values).filter(([name, value]) => this.engine.parameters[name] !== value);
    for (const [name, value] of changed) this.#trySymbol(name, value);
    this.#changed();
    this.#begin();
    this.isPlaying = isPlaying;
  }

  /** Another engine of the same variant, at the start. */
  async newEngine() {
    const { description, module, image } = this.modules.get(this.variant);
    return new Engine(description, await WebAssembly.instantiate(module), image);
  }

  #trySymbol(name, value) { try { this.engine.setParameters({ [name]: value }); } catch { /* stays */ } }

  get time() { return this.engine.time; }
  get steps() { return this.engine.steps; }
  get stepSize() { return this.engine.description.stepSize; }
  get values() { return this.engine.parameters; }

  // Time ---------------------------------------------------------------------------------------

  play() {
    if (this.failure) return;
    if (this.isLooping && this.time >= this.end - this.stepSize) this.reset();
    this.isPlaying = true;
    this.last = null;
    this.tell('state');
  }

  pause() { this.isPlaying = false; this.factor = 0; this.tell('state'); }

  setSpeed(speed) { this.speed = speed; this.owed = 0; }

  /** Make single steps; -1: go back by one. */
  step(count = 1) {
    this.pause();
    if (count < 0) this.#go(Math.max(0, this.steps + count));
    else this.#advance(count, Infinity);
  }

  reset() {
    if (this.recorded) this.recorded.begin(this.engine); else this.engine.reset();
    this.end = this.description.duration;
    this.tell('restart');
    this.#begin();
    if (this.recorded) this.#changed();
  }

  /** Go to a time [s]: back by a snapshot, then on by steps. */
  seek(time) { this.#go(Math.round(Math.max(0, time) / this.stepSize)); }

  rewind(seconds) { this.seek(this.time - seconds); }

  #begin() {
    this.failure = '';
    this.snapshots.clear();
    this.owed = 0;
    this.fresh = [];
    this.#look(true);
    this.tell('state');
  }

  #go(steps) {
    if (steps < this.steps) {
      const values = this.values;
      const saved = this.snapshots.before(steps);
      if (saved) this.engine.restore(saved);
      else if (this.recorded) this.recorded.begin(this.engine);
      else this.engine.reset();
      if (this.recorded) this.#changed(); else this.#keep(values);
      this.failure = '';
      this.snapshots.cut(this.steps);
      this.tell('cut', Math.min(steps, this.steps) * this.stepSize);
    }
    this.owed = 0;
    this.#advance(steps - this.steps, 200);
    if (!this.fresh.length) this.#look(true);
    for (const instant of this.fresh.slice(0, -1)) instant.isPassed = true; // not of now
    this.tell('jump');
    this.tell('state');
  }

  /** Take away what the hand did, and keep values that were changed. */
  #keep(values) {
    this.engine.clearWrenches();
    const now = this.values;
    const changed = Object.entries(values).filter(([name, value]) => now[name] !== value);
    if (changed.length) this.engine.setParameters(Object.fromEntries(changed));
  }

  /** Go on by what has passed on the wall [ms]; returns the instants that are new. */
  update(wall) {
    if (this.isPlaying) {
      const passed = Math.min(LONGEST_FRAME, Math.max(0, (wall - (this.last ?? wall)) / 1000));
      this.last = wall;
      const room = this.isLooping && !this.pull ? Math.max(0, this.end - this.time) : Infinity;
      this.owed += Math.min(passed * this.speed, room);
      const before = this.time;
      const left = this.#advance(Math.floor(this.owed / this.stepSize + 1e-9), BUDGET);
      this.owed = left ? 0 : Math.max(0, this.owed - (this.time - before));
      if (passed > 0) this.factor += 0.06 * ((this.time - before) / passed - this.factor);
      if (this.isLooping && !this.pull && this.time >= this.end - 0.5 * this.stepSize) this.reset();
      if (!this.isLooping || this.pull) this.end = Math.max(this.end, Math.ceil(this.time));
    }
    const found = this.fresh;
    this.fresh = [];
    return found;
  }

  /** Make steps with looks in between, for a time [ms] at most; returns how many are left. */
  #advance(count, budget) {
    const looks = Math.max(FEWEST_LOOKS, Math.min(MOST_LOOKS, LOOKING / this.lookTime));
    const chunk = Math.max(1, Math.ceil(count / looks));
    const began = performance.now();
    let looking = 0;
    let looked = 0;
    let left = count;
    for (let look = 1; left > 0; look++) {
      let size = Math.min(chunk, left);
      try {
        if (this.recorded) {
          if (this.recorded.act(this.engine)) this.#changed();
          size = Math.min(size, this.recorded.room(this.steps));
        }
        this.#hold();
        this.engine.step(size);
      } catch (error) {
        this.#look(true);
        this.#fail(error);
        return 0;
      }
      left -= size;
      const now = performance.now();
      const isLate = now - began > budget;
      this.#look(left === 0 || isLate || look % PLACED === 0 || this.pull !== null);
      looking += performance.now() - now;
      looked += 1;
      this.snapshots.offer(this.engine);
      if (isLate) break;
    }
    // Clocks are coarse: a mean over many frames.
    if (looked) this.lookTime += 0.05 * (looking / looked - this.lookTime);
    return left;
  }

  /** Let the spring of the hand act as it is now. */
  #hold() {
    if (!this.pull) return;
    const { body, force, point } = this.pull.load(this.instant);
    const name = this.description.bodies[body].name;
    this.engine.setWrench(name, this.description.dimension === 2 ? [force[0], force[1], 0] : force, undefined, point);
  }

  #fail(error) {
    this.isPlaying = false;
    this.failure = error.message;
    if (!(error instanceof DivergenceError)) console.warn(error);
    this.tell('fail', this.failure);
    this.tell('state');
  }

  #look(isPlaced) {
    const instant = instantOf(this.engine, isPlaced ? null : this.instant?.motions);
    this.instant = instant;
    this.fresh.push(instant);
  }

  /** Closest points of all pairs that are near, of now. */
  proximities() { return proximitiesOf(this.engine); }

  // Changes ------------------------------------------------------------------------------------

  /** Change live symbols; returns why not, or ''. */
  setParameters(values) {
    try {
      this.engine.setParameters(values);
    } catch (error) { return error.message; }
    this.#changed();
    return '';
  }

  #changed() {
    this.geometry = geometryOf(this.engine, this.page.model.masses);
    this.fresh ??= [];
    this.#look(true);
    this.tell('change');
  }

  setPull(pull) {
    this.pull = pull;
    if (!pull) this.engine.clearWrenches();
  }

  setEffort(joint, value) { this.engine.setEffort(joint, value); }
  setTarget(joint, position) { this.engine.setTarget(joint, position); }
  releaseJoint(joint) { this.engine.release(joint); }

  /** Coordinates and speeds of now, by the names of their symbols in the equations. */
  coordinates() {
    const { state } = this.engine;
    const { slots = {} } = this.page.model;
    return Object.fromEntries(Object.entries(slots).map(([name, slot]) => [name, state[slot]]));
  }

  joints() { return this.engine.joints(); }
  stateHash() { return this.engine.stateHash(); }

  // Links --------------------------------------------------------------------------------------

  /** What a link needs to come back here. */
  linkParts() {
    const own = Object.fromEntries(this.description.symbols.map(({ name, value }) => [name, value]));
    const values = Object.entries(this.values).filter(([name, value]) => value !== own[name]);
    const { detector, integrator } = this.variants[this.variant];
    const state = this.engine.state.slice();
    return {
      model: this.description.name,
      variant: this.variants.length > 1 ? `${detector}.${integrator}` : '',
      steps: this.steps,
      changed: Object.fromEntries(values),
      state: new Uint8Array(state.buffer),
    };
  }

  /** Take what a link had; returns why not, or ''. */
  async takeLink({ variant, steps, changed, state }) {
    const found = this.variants.findIndex(({ detector, integrator }) => `${detector}.${integrator}` === variant);
    if (found > 0) await this.choose(found);
    const numbers = state && state.length % 8 === 0 ? new Float64Array(state.slice().buffer) : null;
    const before = this.engine.snapshot();
    try {
      for (const [name, value] of Object.entries(changed)) this.engine.setParameters({ [name]: value });
      this.engine.reset();
      if (numbers) this.engine.loadState({ steps, symbols: {}, state: Array.from(numbers) });
      else if (state) throw new Error('its state is not whole');
      if (!instantIsFinite(instantOf(this.engine, null))) throw new Error('its numbers are not finite');
    } catch (error) {
      this.engine.restore(before);
      this.#changed();
      return `This link is not of this model: ${error.message}`;
    }
    this.tell('restart');
    this.#begin();
    this.#changed();
    this.end = Math.max(this.end, Math.ceil(this.time));
    return '';
  }
}

/** What is to be seen of an engine now; `motions`: those of a look before, where that is enough. */
export function instantOf(engine, motions) {
  const energies = engine.energy();
  return {
    time: engine.time,
    steps: engine.steps,
    motions: motions ?? motionsOf(engine),
    contacts: engine.contacts().map((contact) => ({
      a: engine.indexOf.body.get(contact.bodyA),
      b: engine.indexOf.body.get(contact.bodyB),
      point: contact.point,
      normal: contact.normal,
      distance: contact.distance,
      force: contact.force,
    })),
    proximities: [],
    energies,
  };
}

function motionsOf(engine) {
  const { bodies } = engine.description;
  const poses = engine.poses();
  const motions = new Float64Array(MOTION * bodies.length);
  bodies.forEach(({ name, isFixed }, i) => {
    motions.set(poses.subarray(7 * i, 7 * i + 7), MOTION * i);
    if (isFixed) return;
    const { velocity, rate } = engine.motion(name);
    motions.set(velocity, MOTION * i + 7);
    motions.set(rate, MOTION * i + 10);
  });
  return motions;
}

function proximitiesOf(engine) {
  return engine.proximities().map(({ bodyA, bodyB, pointA, pointB, distance }) => ({
    a: engine.indexOf.body.get(bodyA), b: engine.indexOf.body.get(bodyB), pointA, pointB, distance,
  }));
}

const instantIsFinite = ({ motions, energies }) => motions.every(Number.isFinite)
  && Object.values(energies).every(Number.isFinite);
