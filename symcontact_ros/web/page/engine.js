// The engine: a model in WebAssembly, with the bits of the native simulation.
//
// All work is done by the module on one memory; here its results are read. docs/web.md describes
// the module, its memory and this interface. Units are SI, vectors are [x, y, z] in world axes.

import { sha256 } from './sha256.js';

const DONE = 0, STOPPED = 1, NO_MEMORY = 2, REFUSED = 3; // status of a call
const SOUND = 0, DEEP = 1, UNSTABLE = 2, UNSOLVED = 4; // why a guard stopped a run
const PAGE = 65536; // bytes
const SPARE = 4; // pages beyond what is needed
const SLOT = 8; // bytes
const KINETIC = 0, POTENTIAL = 1, OF_JOINTS = 2, OF_CONTACTS = 3, ANCHORED = 4;
const POSE = 7; // numbers: position, quaternion x, y, z, w

export class EngineError extends Error {}
export class DivergenceError extends EngineError {}

export class Engine {
  // Return the engine of a model: its description, its module and its memory as bytes.
  static async load(description, wasm, image) {
    const { instance } = await WebAssembly.instantiate(wasm);
    return new Engine(description, instance, image);
  }

  constructor(description, instance, image) {
    this.description = description;
    this.exports = instance.exports;
    this.memory = instance.exports.memory;
    this.buffer = null;
    this.bytes.set(image, description.base);
    this.indexOf = {
      body: indices(description.bodies.map((body) => body.name)),
      effort: indices(description.efforts),
      servo: indices(description.servos),
      symbol: indices(description.symbols.map((symbol) => symbol.name)),
    };
    this.version = 0; // raised whenever anything in the state changes
    this.seen = -1; // version and margin of the last look
    this.seenMargin = 0;
    this.placed = -1; // version of the last motions
    this.startBytes = this.#copy();
  }

  // Memory -----------------------------------------------------------------------------------

  // Views of the memory; it is another one after it has grown.
  #views() {
    if (this.buffer !== this.memory.buffer) {
      this.buffer = this.memory.buffer;
      const { base } = this.description;
      const slots = (this.buffer.byteLength - base) / SLOT;
      this.allBytes = new Uint8Array(this.buffer);
      this.allFloats = new Float64Array(this.buffer, base, slots);
      this.allInts = new BigInt64Array(this.buffer, base, slots);
    }
    return this;
  }

  get bytes() { return this.#views().allBytes; }
  get floats() { return this.#views().allFloats; } // from the world on
  get ints() { return this.#views().allInts; }

  // Slot of a field of a record at a slot.
  #field(at, record, name) { return at + this.description.records[record].fields[name][0]; }

  #float(at, record, name) { return this.floats[this.#field(at, record, name)]; }
  #int(at, record, name) { return Number(this.ints[this.#field(at, record, name)]); }

  #triple(at, record, name) {
    const slot = this.#field(at, record, name);
    return [this.floats[slot], this.floats[slot + 1], this.floats[slot + 2]];
  }

  // First slot and number of members of a block of a record.
  #block(at, record, name) {
    const slot = this.#field(at, record, name);
    return [at + Number(this.ints[slot]), Number(this.ints[slot + 1])];
  }

  get #world() { return this.description.starts.world; }
  get #engine() { return this.description.starts.engine; }
  #slots(record) { return this.description.records[record].slots; }
  #address(name) { return this.description.base + SLOT * this.description.starts[name]; }

  // Call an entry with memory, world, engine and inspection behind its other arguments.
  #call(name, ...given) {
    this.exports[name](...given, this.description.base, BigInt(this.floats.length),
      this.#address('world'), this.#address('engine'), this.#address('inspection'));
    return this.#int(this.#engine, 'Engine', 'status');
  }

  #grow() {
    const needed = SLOT * this.#int(this.#engine, 'Engine', 'needed');
    try {
      this.memory.grow(Math.ceil(needed / PAGE) + SPARE);
    } catch {
      throw new EngineError('the browser has no memory left for so many contacts');
    }
    this.#writeInt('end', this.floats.length);
  }

  #writeInt(name, value) {
    const slot = this.#field(this.#engine, 'Engine', name);
    this.ints[slot] = BigInt(value);
  }

  #copy() {
    const { base } = this.description;
    const free = this.#int(this.#engine, 'Engine', 'free');
    return this.bytes.slice(base, base + SLOT * free);
  }

  #paste(bytes) {
    this.bytes.set(bytes, this.description.base);
    this.#writeInt('end', this.floats.length);
    this.version += 1;
  }

  // Steps ------------------------------------------------------------------------------------

  get steps() { return this.#int(this.#engine, 'Engine', 'steps'); }
  get time() { return this.steps * this.description.stepSize; }

  // Make steps; DivergenceError says why one could not be made, and leaves the last good state.
  step(count = 1) {
    this.exports.keep(this.#address('world'), this.#address('engine'));
    const made = this.#advance(count);
    if (made < count) this.#stop(made);
    return made;
  }

  #advance(count) {
    this.version += 1;
    let made = 0;
    for (;;) {
      this.exports.advance(BigInt(count - made), this.description.base,
        BigInt(this.floats.length), this.#address('world'), this.#address('engine'));
      made += this.#int(this.#engine, 'Engine', 'made');
      if (this.#int(this.#engine, 'Engine', 'status') !== NO_MEMORY) return made;
      this.#grow();
    }
  }

  #stop(made) {
    const guard = this.#field(this.#world, 'World', 'guard');
    const reason = this.#int(guard, 'Guard', 'reason');
    const { stateSize, owners } = this.description;
    const bad = this.state.subarray(0, stateSize).findIndex((x) => !Number.isFinite(x * x));
    if (reason !== SOUND && bad < 0) {
      this.#writeInt('steps', this.steps + 1);
      throw new DivergenceError(this.#unsound(guard, reason));
    }
    const world = this.#address('world'), engine = this.#address('engine');
    this.exports.go_back(world, engine);
    this.#advance(made);
    this.exports.set_guards(world, engine);
    if (!this.state.every(Number.isFinite)) { // the same steps went another way
      this.exports.go_back(world, engine);
      this.exports.set_guards(world, engine);
    }
    this.version += 1;
    const body = bad < 0 ? '' : `body '${owners[bad]}': `;
    throw new DivergenceError(`${body}the state became NaN or infinite at ${short(this.time)} s; `
      + `the state is that before the step: ${this.description.advice.softer}`);
  }

  #unsound(guard, reason) {
    const { advice, pairs } = this.description;
    const at = `at ${short(this.time)} s`;
    if (reason === DEEP) {
      const pair = this.#int(guard, 'Guard', 'pair');
      const [rows] = this.#block(this.#world, 'World', 'shape_pairs');
      const { ShapePair } = this.description.records;
      const row = Number(this.ints[rows + ShapePair.slots * pair + ShapePair.fields.bodies[0]]);
      const depth = this.#float(guard, 'Guard', 'depth');
      const ratio = depth / this.#float(guard, 'Guard', 'thickness');
      return `${pairs[row].join(' - ')}: ${short(depth)} m deep ${at}, ${short(ratio)} of the `
        + `thinner body; the state is kept: ${advice.harder}, or start them apart`;
    }
    if (reason === UNSTABLE) {
      const count = this.#int(guard, 'Guard', 'unstable_steps');
      return `${count} steps in a row ${at} were too long to be stable; the state is kept: `
        + advice.softer;
    }
    if (reason === UNSOLVED) {
      return `the implicit step ${at} has found no velocities; the state is kept: ${advice.softer}`;
    }
    const residual = this.#float(guard, 'Guard', 'residual');
    return `the energy balance is open by ${short(residual)} J ${at}; the state is kept: `
      + advice.softer;
  }

  // Go back to the initial state and to time 0; loads are cleared, live symbols stay.
  reset() {
    if (this.startBytes) {
      this.#paste(this.startBytes);
      return;
    }
    this.version += 1;
    while (this.#call('reset') === NO_MEMORY) this.#grow();
    if (this.description.keepsStart) this.startBytes = this.#copy();
  }

  // Everything that the next steps depend on, to come back to with `restore`.
  snapshot() { return { bytes: this.#copy(), start: this.startBytes }; }

  restore(snapshot) {
    this.#paste(snapshot.bytes);
    this.startBytes = snapshot.start;
  }

  // State, symbols and time as plain numbers, for a link; what friction holds is let go.
  saveState() {
    return { steps: this.steps, symbols: this.parameters, state: Array.from(this.state) };
  }

  loadState({ steps, symbols, state }) {
    if (state.length !== this.state.length || !state.every(Number.isFinite)) {
      throw new EngineError('this state is of another model');
    }
    const own = this.parameters;
    const changed = Object.entries(symbols).filter(([name, value]) => own[name] !== value);
    if (changed.length) this.setParameters(Object.fromEntries(changed));
    const world = this.#address('world'), engine = this.#address('engine');
    this.exports.keep(world, engine);
    const [before] = this.#block(this.#engine, 'Engine', 'before');
    this.floats.set(state, before);
    this.#writeInt('anchors_before', 0);
    this.#writeInt('steps_before', Math.max(0, Math.trunc(steps) || 0));
    this.exports.go_back(world, engine);
    this.exports.set_guards(world, engine);
    this.version += 1;
  }

  // State with its ledger, as a view of the memory.
  get state() {
    const [first, count] = this.#block(this.#world, 'World', 'state');
    return this.floats.subarray(first, first + count);
  }

  // Hash of time and state: that of `Simulation.state_hash` where every bit is equal.
  stateHash() {
    const { sticks, anchorSlots } = this.description;
    const numbers = [new BigInt64Array([BigInt(this.steps)]), this.state.slice()];
    if (sticks) {
      const [first] = this.#block(this.#world, 'World', 'anchors');
      const count = this.#int(this.#world, 'World', 'anchor_count');
      const held = new BigInt64Array(count * anchorSlots.length);
      for (let i = 0; i < count; i++) {
        const at = first + i * this.#slots('Anchor');
        anchorSlots.forEach((slot, k) => {
          held[i * anchorSlots.length + k] = this.ints[at + slot];
        });
      }
      numbers.push(held);
    }
    const parts = numbers.map((part) => new Uint8Array(part.buffer, 0, part.byteLength));
    const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
    let at = 0;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return sha256(all);
  }

  // Live symbols -----------------------------------------------------------------------------

  // Values of all live symbols, by name.
  get parameters() {
    const [first] = this.#block(this.#engine, 'Engine', 'symbols');
    const { symbols } = this.description;
    return Object.fromEntries(symbols.map((symbol, i) => [symbol.name, this.floats[first + i]]));
  }

  // Change live symbols, whole or not at all; the next step uses them.
  setParameters(values) {
    for (const [name, value] of Object.entries(values)) this.#check(name, value);
    const before = this.#copy();
    this.version += 1;
    for (;;) {
      const [first] = this.#block(this.#engine, 'Engine', 'symbols');
      for (const [name, value] of Object.entries(values)) {
        this.floats[first + this.indexOf.symbol.get(name)] = value;
      }
      const status = this.#call('change');
      if (status === DONE) break;
      const fault = this.#int(this.#engine, 'Engine', 'fault');
      if (status === NO_MEMORY) this.#grow();
      this.#paste(before);
      if (status === REFUSED) {
        const path = this.description.limits[fault];
        const why = path ? `${path} would be what it cannot be` : 'a number would not be finite';
        throw new EngineError(`${Object.keys(values).join(', ')}: ${why}`);
      }
    }
    this.startBytes = null;
  }

  #check(name, value) {
    const symbol = this.description.symbols[this.indexOf.symbol.get(name)];
    if (!symbol) throw new EngineError(`no live symbol '${name}'`);
    if (symbol.refused) throw new EngineError(`${name} stays as it is here: ${symbol.refused}`);
    const { min, max } = symbol;
    const isWithin = (min === null || value >= min) && (max === null || value <= max);
    if (!Number.isFinite(value) || !isWithin) {
      const range = `[${min === null ? '-inf' : min}, ${max === null ? 'inf' : max}]`;
      throw new EngineError(`${name} must be within ${range}, got ${value}`);
    }
  }

  // Loads ------------------------------------------------------------------------------------

  // Apply a force [N] and a torque [N m] to a body until changed; the force acts at its centre of
  // mass, or at a point of the world [m] with the lever that it has now.
  setWrench(body, force = [0, 0, 0], torque = [0, 0, 0], point = null) {
    const row = this.#index('body', body);
    if (this.description.dimension === 2 && (force[2] || torque[0] || torque[1])) {
      throw new EngineError('a planar model takes forces in x and y, and torques about z');
    }
    if (![...force, ...torque, ...(point ?? [])].every(Number.isFinite)) {
      throw new EngineError('force, torque and point are three finite numbers each');
    }
    const world = this.#address('world');
    if (point) {
      const motions = this.#address('motions');
      this.exports.push(row, ...force, ...torque, ...point, world, motions);
    } else {
      this.exports.set_wrench(row, ...force, ...torque, world);
    }
  }

  clearWrenches() { this.exports.clear_wrenches(this.#address('world')); }

  // Apply a torque [N m] or force [N] to a joint of one degree of freedom, until changed.
  setEffort(joint, value) {
    if (!Number.isFinite(value)) throw new EngineError('an effort is a finite number');
    const [world, engine] = [this.#address('world'), this.#address('engine')];
    this.exports.set_effort(this.#index('effort', joint), value, world, engine);
  }

  // Let the servo of a joint follow a position [rad or m] and a velocity, or neither: null.
  setTarget(joint, position = null, velocity = null) {
    const [world, engine] = [this.#address('world'), this.#address('engine')];
    this.exports.set_target(this.#index('servo', joint), BigInt(position !== null), position ?? 0,
      BigInt(velocity !== null), velocity ?? 0, world, engine);
  }

  // End the command of a servo: one that its model holds stays, others are let go.
  release(joint) {
    const [world, engine] = [this.#address('world'), this.#address('engine')];
    this.exports.release(this.#index('servo', joint), world, engine);
  }

  #index(kind, name) {
    const index = this.indexOf[kind].get(name);
    if (index === undefined) throw new EngineError(`no ${kind} '${name}'`);
    return BigInt(index);
  }

  // Reports ----------------------------------------------------------------------------------

  #look(margin) {
    if (this.seen === this.version && this.seenMargin === margin) return;
    while (this.#call('look', margin) === NO_MEMORY) this.#grow();
    this.seen = this.version;
    this.seenMargin = margin;
  }

  // Pairs of shapes whose boxes are nearer than a margin [m], in overlap or apart: `distance` is
  // negative in overlap, `normal` points from A to B, bodyA comes before bodyB by name. With
  // `contacts`: those of each.
  proximities(margin = this.description.proximityRange) {
    this.#look(margin);
    const { inspection } = this.description.starts;
    const [first] = this.#block(inspection, 'InspectionRecord', 'records');
    const count = this.#int(inspection, 'InspectionRecord', 'count');
    const found = [];
    for (let i = 0; i < count; i++) {
      found.push(this.#proximity(first + i * this.#slots('ProximityRecord')));
    }
    return found;
  }

  #proximity(at) {
    const record = 'ProximityRecord';
    const pair = this.#int(at, record, 'bodies');
    const [bodyA, bodyB] = this.description.pairs[pair];
    const proximity = {
      pair, bodyA, bodyB,
      shapeA: this.#int(at, record, 'shape_a'),
      shapeB: this.#int(at, record, 'shape_b'),
      distance: this.#float(at, record, 'distance'),
      normal: this.#triple(at, record, 'normal'),
      pointA: this.#triple(at, record, 'point_a'),
      pointB: this.#triple(at, record, 'point_b'),
      material: this.#int(at, record, 'material'),
      contacts: [],
    };
    const count = this.#int(at, record, 'count');
    const rows = this.#field(at, record, 'contacts');
    for (let k = 0; k < count; k++) {
      const own = rows + k * this.#slots('ContactRecord');
      proximity.contacts.push({
        pair, bodyA, bodyB,
        point: this.#triple(own, 'ContactRecord', 'point'),
        normal: this.#triple(own, 'ContactRecord', 'normal'),
        distance: this.#float(own, 'ContactRecord', 'distance'),
        force: this.#triple(own, 'ContactRecord', 'force'), // on B [N]
        torque: this.#triple(own, 'ContactRecord', 'torque'), // on B, about the normal [N m]
        share: this.#float(own, 'ContactRecord', 'share'),
      });
    }
    return proximity;
  }

  // Points of contact with their forces on body B.
  contacts() {
    const margin = this.seen === this.version ? this.seenMargin : 0;
    return this.proximities(margin).flatMap((proximity) => proximity.contacts);
  }

  #move() {
    if (this.placed === this.version) return;
    this.exports.move(this.#address('world'), this.#address('motions'));
    this.placed = this.version;
  }

  // Poses of all bodies, then of all sites: position, quaternion x, y, z, w; seven numbers each.
  poses() {
    this.#move();
    const { bodies, sites, starts } = this.description;
    const found = new Float64Array(POSE * (bodies.length + sites.length));
    let at = 0;
    for (const [record, block, count] of [
      ['BodyMotion', 'bodies', bodies.length], ['SitePose', 'sites', sites.length],
    ]) {
      const [first] = this.#block(starts.motions, 'MotionRecord', block);
      for (let i = 0; i < count; i++) {
        const slot = this.#field(first + i * this.#slots(record), record, 'position');
        found.set(this.floats.subarray(slot, slot + POSE), at);
        at += POSE;
      }
    }
    return found;
  }

  // Motion of a body: rotation (row by row, body to world), centre of mass, velocities.
  motion(body) {
    this.#move();
    const [first] = this.#block(this.description.starts.motions, 'MotionRecord', 'bodies');
    const at = first + this.indexOf.body.get(body) * this.#slots('BodyMotion');
    const rotation = this.#field(at, 'BodyMotion', 'rotation');
    return {
      position: this.#triple(at, 'BodyMotion', 'position'),
      rotation: Array.from(this.floats.subarray(rotation, rotation + 9)),
      com: this.#triple(at, 'BodyMotion', 'com'),
      velocity: this.#triple(at, 'BodyMotion', 'velocity'),
      rate: this.#triple(at, 'BodyMotion', 'rate'),
    };
  }

  // Shapes as they are now, in the order of `description.shapes`: numbers of their geometry, and
  // their frame in the body, from its centre of mass: axes (x, y, z one after the other), origin.
  shapes() {
    const [rows] = this.#block(this.#world, 'World', 'shapes');
    const [solids] = this.#block(this.#world, 'World', 'solids');
    return this.description.shapes.map(({ body, kind, vertices, faces }, i) => {
      const row = rows + i * this.#slots('Shape');
      const solid = solids + this.#int(row, 'Shape', 'solid');
      if (faces) { // a surface: drawn like the faces of a hull
        const size = this.#triple(solid, 'Solid', 'size');
        const drawn = { kind: 'convex_hull', vertices, faces, radius: 0, size, offset: 0 };
        return { body, ...drawn, ...this.#frame(row) };
      }
      return { body, kind, ...this.#geometry(solid), ...this.#frame(row) };
    });
  }

  // Radius of the rounding, half extents or semi-axes (of a half-space: its normal), offset of a
  // half-space, vertices, and the corners of faces of boxes and hulls.
  #geometry(solid) {
    const { dimension } = this.description;
    const [vertices, count] = this.#block(solid, 'Solid', 'vertices');
    const geometry = {
      radius: this.#float(solid, 'Solid', 'radius'),
      size: this.#triple(solid, 'Solid', 'size'),
      offset: this.#float(solid, 'Solid', 'offset'),
      vertices: [],
      faces: [],
    };
    for (let k = 0; k < count; k++) {
      const at = vertices + dimension * k;
      geometry.vertices.push(Array.from(this.floats.subarray(at, at + dimension)));
    }
    if (dimension === 3) {
      const [loops, faces] = this.#block(solid, 'Solid', 'loops');
      const [corners] = this.#block(solid, 'Solid', 'corners');
      for (let k = 0; k < faces; k++) {
        const start = corners + Number(this.ints[loops + 2 * k]);
        const own = this.ints.subarray(start, start + Number(this.ints[loops + 2 * k + 1]));
        geometry.faces.push(Array.from(own, Number));
      }
    }
    return geometry;
  }

  #frame(row) {
    const at = this.#field(row, 'Shape', 'frame');
    const f = this.floats;
    if (this.description.dimension === 2) {
      const [c, s] = [f[at], f[at + 1]];
      return { axes: [c, s, 0, -s, c, 0, 0, 0, 1], origin: [f[at + 2], f[at + 3], 0] };
    }
    return { axes: Array.from(f.subarray(at, at + 9)), origin: Array.from(f.subarray(at + 9, at + 12)) };
  }

  // Positions [rad or m] and velocities of the joints of one degree of freedom, in their order.
  joints() {
    const [rows, count] = this.#block(this.#world, 'World', 'joints');
    const { state } = this;
    const found = { positions: [], velocities: [] };
    for (let i = 0; i < count; i++) {
      const row = rows + i * this.#slots('Joint');
      found.positions.push(state[this.#int(row, 'Joint', 'q')]);
      found.velocities.push(state[this.#int(row, 'Joint', 'u')]);
    }
    return found;
  }

  // The energy ledger [J]: see `Simulation.energy`.
  energy() {
    while (this.#call('weigh') === NO_MEMORY) this.#grow();
    this.seen = this.version;
    this.seenMargin = 0;
    const at = this.#field(this.#engine, 'Engine', 'energies');
    const e = this.floats.subarray(at, at + 5);
    const ledger = this.#block(this.#world, 'World', 'state')[0] + this.description.stateSize;
    const booked = (name) => this.#float(ledger, 'Ledger', name);
    const anchored = this.description.sticks ? e[ANCHORED] : 0;
    const [kinetic, potential] = [e[KINETIC], e[POTENTIAL]];
    const elastic = e[OF_JOINTS] + e[OF_CONTACTS] + anchored;
    const lost = booked('lost_in_contact') + booked('lost_in_friction') + booked('lost_in_joints');
    const dissipated = lost - anchored;
    const start = this.#float(this.#engine, 'Engine', 'start_energy');
    const contactStart = this.#float(this.#engine, 'Engine', 'start_contact');
    const manifold = e[OF_CONTACTS] - contactStart - booked('stored_in_contact');
    const workIn = booked('work_in'), integration = booked('integration');
    const mechanical = kinetic + potential + elastic;
    const residual = mechanical - (start + workIn + manifold - dissipated - integration);
    return {
      kinetic, potential, elastic, dissipated, workIn, manifold, integration, start, mechanical,
      residual,
    };
  }

  // Counters since the start: see `Simulation.counters`.
  counters() {
    const of = (name) => this.#int(this.#world, 'World', name);
    const [solver] = this.#block(this.#world, 'World', 'solvers');
    const ofSolver = (name) => this.#int(solver, 'Solver', name);
    return {
      substeps: of('substeps'), exceededSteps: of('exceeded'), queries: of('queries'),
      largestNeed: this.#float(this.#world, 'World', 'largest_need'),
      saturatedSteps: of('saturated'), overspeedSteps: of('overspeed'),
      broadPhases: of('rebuilds'), alerts: of('alerts'),
      newtonSteps: ofSolver('solves'), newtonIterations: ofSolver('iterations'),
      notConverged: ofSolver('unconverged'),
    };
  }
}

function indices(names) { return new Map(names.map((name, i) => [name, i])); }

function short(x) { return Number(x.toPrecision(6)).toString(); }
