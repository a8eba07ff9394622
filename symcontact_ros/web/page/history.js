/** What happened so far, for plots: one row per instant, thinned when there are many. */
import { dot, minus, norm, scaled } from './vectors.js';

const MOST = 4000; // rows

/** One row of a history, from an instant. */
export function rowOf({ time, contacts, energies, proximities }) {
  let [normal, tangential, depth] = [0, 0, 0];
  for (const contact of contacts) {
    const along = dot(contact.force, contact.normal);
    normal += Math.abs(along);
    tangential += norm(minus(contact.force, scaled(contact.normal, along)));
    depth = Math.max(depth, -contact.distance);
  }
  let distance = Infinity;
  for (const pair of proximities ?? []) distance = Math.min(distance, pair.distance);
  return { time, normal, tangential, depth, distance, ...energies };
}

export class History {
  constructor() { this.clear(); }

  clear() {
    this.rows = [];
    this.stride = 1;
    this.skipped = 0;
    this.peak = 0; // of the normal force [N]
    this.deepest = 0; // [m]
  }

  add(row) {
    const isPeak = row.normal > this.peak || row.depth > this.deepest;
    if (++this.skipped < this.stride && !isPeak) return;
    this.skipped = 0;
    this.peak = Math.max(this.peak, row.normal);
    this.deepest = Math.max(this.deepest, row.depth);
    this.rows.push(row);
    if (this.rows.length <= MOST) return;
    this.rows = everyFew(this.rows, 2);
    this.stride *= 2;
  }

  /** Forget what is later than a time. */
  cut(time) {
    let count = this.rows.length;
    while (count && this.rows[count - 1].time > time + 1e-9) count--;
    this.rows.length = count;
    this.peak = this.rows.reduce((peak, row) => Math.max(peak, row.normal), 0);
    this.deepest = this.rows.reduce((depth, row) => Math.max(depth, row.depth), 0);
  }

  /** About `count` rows; peaks stay. */
  thinned(count) {
    const few = Math.max(1, Math.floor(this.rows.length / count));
    return few === 1 ? this.rows : everyFew(this.rows, few);
  }
}

/** Of each few rows the one with the largest force, and the last one. */
function everyFew(rows, few) {
  const out = [];
  for (let i = 0; i < rows.length; i += few) {
    let best = rows[i];
    const end = Math.min(i + few, rows.length);
    for (let k = i + 1; k < end; k++) if (rows[k].normal > best.normal) best = rows[k];
    out.push(best);
  }
  if (out.at(-1) !== rows.at(-1)) out.push(rows.at(-1));
  return out;
}
