/** Proof that this page's run is the native one: the hash of its state after some steps. */

const SLICE = 4; // [ms] without a break
const pause = () => new Promise((done) => { setTimeout(done, 0); });

/**
 * Run another engine as far as the native one was run, without blocking the page.
 * @param {Engine} engine - a fresh one
 * @param {{steps: number, hash: string}} check - of the native run
 * @returns {Promise<{isEqual: boolean, steps: number, ns: number}>} ns: per step
 */
export async function verify(engine, check) {
  let chunk = 8;
  let [spent, made] = [0, 0]; // of the later half, when the browser has compiled it well
  while (engine.steps < check.steps) {
    const count = Math.min(chunk, check.steps - engine.steps);
    const began = performance.now();
    engine.step(count);
    const took = performance.now() - began;
    if (engine.steps > check.steps / 2) { spent += took; made += count; }
    if (took < SLICE / 2) chunk *= 2;
    else if (took > SLICE) chunk = Math.max(1, chunk >> 1);
    await pause();
  }
  return { isEqual: engine.stateHash() === check.hash, steps: check.steps, ns: (1e6 * spent) / made };
}
