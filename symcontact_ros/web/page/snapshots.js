/** Snapshots of a run, to go back by: dense lately, thinner before, within some memory. */

const EVERY = 0.02; // [s] of simulated time
const MOST = 600;
const MEMORY = 48e6; // bytes
const DENSE = 50; // of the latest are never left out

export class Snapshots {
  constructor() { this.clear(); }

  clear() { this.kept = []; }

  /** Take one, if the last one is some time ago. */
  offer(engine) {
    const { steps } = engine;
    const due = Math.max(1, Math.round(EVERY / engine.description.stepSize));
    if (this.kept.length && steps - this.kept.at(-1).steps < due) return;
    const snapshot = engine.snapshot();
    this.kept.push({ steps, snapshot });
    const most = Math.max(2 * DENSE, Math.min(MOST, MEMORY / snapshot.bytes.length));
    if (this.kept.length > most) {
      const late = this.kept.length - DENSE;
      this.kept = this.kept.filter((_, i) => i % 2 === 0 || i > late);
    }
  }

  /** The last one that is not after a step, or null. */
  before(steps) { return this.kept.findLast((one) => one.steps <= steps)?.snapshot ?? null; }

  /** Forget what is after a step. */
  cut(steps) { this.kept = this.kept.filter((one) => one.steps <= steps); }
}
