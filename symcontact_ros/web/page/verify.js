/** Proof that this page's run is the native one: the hash of its state after some steps. */

const SLICE = 4; // [ms] without a break
const MEASURED = 12; // [ms] of steps, to know how long one takes: clocks of browsers are coarse
const pause = () => new Promise((done) => { setTimeout(done, 0); });

/**
 * Run another engine as far as the native one was run, without blocking the page.
 * @param {Engine} engine - a fresh one
 * @param {{steps: number, hash: string}} check - of the native run
 * @returns {Promise<{isEqual: boolean, steps: number}>}
 */
export async function verify(engine, check) {
  let chunk = 8;
  while (engine.steps < check.steps) {
    const began = performance.now();
    engine.step(Math.min(chunk, check.steps - engine.steps));
    const took = performance.now() - began;
    if (took < SLICE / 2) chunk *= 2;
    else if (took > SLICE) chunk = Math.max(1, chunk >> 1);
    await pause();
  }
  return { isEqual: engine.stateHash() === check.hash, steps: check.steps };
}

/** How long a step takes [ns], when the browser has compiled it well; NaN for a run that stops. */
export async function stepTime(engine) {
  let [spent, made] = [0, 0];
  try {
    for (let round = 0; spent < MEASURED && round < 40; round++) {
      if (round % 4 === 0) engine.reset();
      const began = performance.now();
      engine.step(250);
      spent += performance.now() - began;
      made += 250;
      if (round === 3) [spent, made] = [0, 0];
      await pause();
    }
  } catch { /* it stopped on the way: what was measured counts */ }
  return made ? (1e6 * spent) / made : NaN;
}
