/** The run that was left by going back in time: it goes on beside the new one. */

const RATE = 60; // poses per second of simulated time
const MOST = 3600; // poses

export class Ghost {
  constructor() { this.clear(); }

  clear() { this.seen = []; this.left = []; }

  add({ time, motions }) {
    if (this.seen.length && time < this.seen.at(-1).time + 1 / RATE) return;
    this.seen.push({ time, motions: motions.slice() });
    if (this.seen.length > MOST) this.seen.shift();
  }

  /** The run goes on from an earlier time. */
  cut(time) {
    const at = this.seen.findIndex((row) => row.time > time);
    if (at < 0) return;
    const later = this.seen.splice(at);
    if (later.length > 2) this.left = later;
  }

  /** Motions of the run that was left, or null where it is over. */
  at(time) {
    const { left } = this;
    if (!left.length || time > left.at(-1).time || time < left[0].time - 2 / RATE) return null;
    let [low, high] = [0, left.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (left[middle].time < time) low = middle + 1; else high = middle;
    }
    return left[low].motions;
  }
}
