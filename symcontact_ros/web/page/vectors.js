/**
 * Vectors of three numbers, and axes: nine numbers, the images of x, y and z one after the other.
 * A planar model has z = 0.
 */

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a, b, factor = 1) => [
  a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2],
];
export const scaled = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);

/** A vector of length 1; the zero vector stays. */
export const unit = (a) => scaled(a, 1 / (norm(a) || 1));

/** World components of a direction that is given in some axes. */
export const turned = (axes, v) => [
  axes[0] * v[0] + axes[3] * v[1] + axes[6] * v[2],
  axes[1] * v[0] + axes[4] * v[1] + axes[7] * v[2],
  axes[2] * v[0] + axes[5] * v[1] + axes[8] * v[2],
];

/** Components in some axes of a direction of the world. */
export const unturned = (axes, v) => [
  axes[0] * v[0] + axes[1] * v[1] + axes[2] * v[2],
  axes[3] * v[0] + axes[4] * v[1] + axes[5] * v[2],
  axes[6] * v[0] + axes[7] * v[1] + axes[8] * v[2],
];

/** Axes that are given in other axes, in the world. */
export const turnedAxes = (axes, own) => [
  ...turned(axes, own.slice(0, 3)), ...turned(axes, own.slice(3, 6)), ...turned(axes, own.slice(6, 9)),
];

/** Axes of a quaternion x, y, z, w. */
export function axesOf(x, y, z, w) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
  ];
}
