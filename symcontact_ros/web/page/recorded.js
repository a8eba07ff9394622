/** A recorded run: where it starts, and inputs with the numbers of the steps before which they act. */

export class RecordedRun {
  /** @param {object} run - `start`, `symbols`, `inputs`, `end`: see docs/web.md */
  constructor(run) { this.run = run; }

  /** Number of the last step. */
  get end() { return this.run.end; }

  /** Bring an engine to the start, with the live symbols that it had there. */
  begin(engine) {
    const now = engine.parameters;
    const changed = Object.entries(this.run.symbols).filter(([name, value]) => now[name] !== value);
    if (changed.length) engine.setParameters(Object.fromEntries(changed));
    engine.reset();
    if (this.run.start) engine.loadState({ ...this.run.start, symbols: {} });
  }

  /** Make the inputs that act before the next step; returns whether live symbols have changed. */
  act(engine) {
    const { inputs } = this.run;
    let isChanged = false;
    for (let i = this.#first(engine.steps); i < inputs.length && inputs[i].step === engine.steps; i++) {
      isChanged = give(engine, inputs[i]) || isChanged;
    }
    return isChanged;
  }

  /** Steps that can be made at once: until the next input. */
  room(steps) {
    const next = this.run.inputs[this.#first(steps + 1)];
    return next ? next.step - steps : Infinity;
  }

  /** Place of the first input that is not before a step. */
  #first(step) {
    const { inputs } = this.run;
    let low = 0;
    let high = inputs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (inputs[middle].step < step) low = middle + 1; else high = middle;
    }
    return low;
  }
}

/** Give an input to an engine; returns whether it changes live symbols. */
function give(engine, { do: name, with: given }) {
  if (name === 'configure') engine.setParameters(given.parameters);
  else if (name === 'set_wrench') engine.setWrench(given.body, given.force, given.torque, given.point ?? null);
  else if (name === 'clear_wrenches') engine.clearWrenches();
  else if (name === 'set_effort') engine.setEffort(given.joint, given.value);
  else if (name === 'set_target') engine.setTarget(given.joint, given.position ?? null, given.velocity ?? null);
  else if (engine.indexOf.servo.has(given.joint)) engine.release(given.joint);
  else engine.setEffort(given.joint, 0);
  return name === 'configure';
}
