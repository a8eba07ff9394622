/** Boxes along the axes of the world: x, y, z of two corners. */

const AXES = [0, 1, 2];

/** The box around balls: centre and radius. */
export function boxAround(balls) {
  const low = AXES.map((k) => Math.min(...balls.map((ball) => ball[k] - ball[3])));
  const high = AXES.map((k) => Math.max(...balls.map((ball) => ball[k] + ball[3])));
  return [...low, ...high];
}

export const sizeOf = (box) => AXES.map((k) => box[3 + k] - box[k]);
export const middleOf = (box) => AXES.map((k) => (box[k] + box[3 + k]) / 2);

/** Whether a box is in another one, but for a part of its size. */
export const contains = (box, other, part = 0.05) => AXES.every((k) => {
  const slack = part * (box[3 + k] - box[k]);
  return other[k] >= box[k] - slack && other[3 + k] <= box[3 + k] + slack;
});

/** A box whose corners go as far as those of another one do. */
export const alike = (box, from, to) => box.map((x, i) => x + to[i] - from[i]);

/** A box that is at least so wide along an axis. */
export function widened(box, axis, width) {
  const more = Math.max(0, width - (box[3 + axis] - box[axis])) / 2;
  return box.map((x, i) => (i % 3 === axis ? x + (i < 3 ? -more : more) : x));
}

/**
 * A box moved as little as it takes to have all of another one; `grows`: it grows where that is
 * larger, and without it is moved within that one.
 */
export function followed(box, other, grows) {
  const out = [...box];
  for (const k of AXES) {
    const below = other[k] - box[k];
    const above = other[3 + k] - box[3 + k];
    const isLarger = above - below > 0; // the other one
    let shift = 0;
    if (isLarger ? below > 0 : below < 0) shift = below;
    else if (isLarger ? above < 0 : above > 0) shift = above;
    out[k] += shift;
    out[3 + k] += shift;
    if (isLarger && grows) [out[k], out[3 + k]] = [other[k], other[3 + k]];
  }
  return out;
}
