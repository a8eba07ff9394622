/** The view of a spatial model: an orbit about a point, z up. */
import { alike, followed, middleOf, sizeOf } from './boxes.js';
import { cross, dot, minus, norm, plus, scaled, unit } from './vectors.js';

const ANGLE = 0.6; // of view, from top to bottom [rad]
const TURN = 0.006; // per pixel [rad]
const STEEPEST = 1.55; // [rad]

export class OrbitCamera {
  /**
   * @param {object} frame - what is to be seen: `box`, two corners [m], and `balls` around bodies,
   *   centre and radius [m]; `zone`: where bodies are not followed
   */
  constructor({ box, balls, zone = box }) {
    Object.assign(this, { box, balls, zone, yaw: -1.15, pitch: 0.4, isFitted: true, isMoved: false });
    this.bottom = box[2];
    this.distance = 3 * this.size;
  }

  get size() { return norm(sizeOf(this.box)); }

  /** Take the size of the stage [px] and what of it is covered. */
  resize(width, height, inset) {
    Object.assign(this, { width, height, inset });
    if (this.isFitted) this.fit();
    this.update();
  }

  /** Look at something else. */
  show({ box, balls, zone = box }) {
    Object.assign(this, { box, balls, zone, bottom: box[2] });
    this.fit();
  }

  /** Keep a box in view that was there: go with it, and if the view was fitted, farther away. */
  follow(other) {
    const zone = followed(this.zone, other, this.isFitted);
    const box = alike(this.box, this.zone, zone);
    const growth = norm(sizeOf(box)) / this.size;
    const [from, to] = [middleOf(this.box), middleOf(box)];
    const way = minus(to, from);
    Object.assign(this, { zone, box });
    this.balls = this.balls.map((ball) => [...plus(to, minus(ball, from), growth), ball[3] * growth]);
    this.target = plus(this.target, way);
    this.bottom += way[2];
    if (this.isFitted) this.distance *= growth;
    this.update();
  }

  /** Go as near as all balls are still in the picture. */
  fit() {
    this.target = middleOf(this.box);
    let [near, far] = [0.1 * this.size, 1e3 * this.size];
    for (let i = 0; i < 40; i++) {
      this.distance = Math.sqrt(near * far);
      this.update();
      if (this.seesAll()) far = this.distance; else near = this.distance;
    }
    this.distance = this.fitted = far;
    this.isFitted = true;
    this.isMoved = false;
    this.update();
  }

  seesAll() {
    const { top, bottom, side } = this.inset;
    return this.balls.every((ball) => {
      const [x, y, depth] = this.to(ball);
      const r = (ball[3] * this.focal) / depth;
      return depth > 2 * ball[3] && x - r > side && x + r < this.width - side
        && y - r > top && y + r < this.height - bottom;
    });
  }

  update() {
    const c = Math.cos(this.pitch);
    this.back = [c * Math.cos(this.yaw), c * Math.sin(this.yaw), Math.sin(this.pitch)];
    this.eye = plus(this.target, this.back, this.distance);
    this.right = unit(cross([0, 0, 1], this.back));
    this.up = cross(this.back, this.right);
    this.focal = this.height / 2 / Math.tan(ANGLE / 2);
    // The middle of the picture is that of the free part of the stage.
    this.shift = this.inset ? (this.inset.bottom - this.inset.top) / 2 : 0;
  }

  /** The middle of the picture in the world [m]. */
  get centre() { return this.target; }

  /** Pixels per metre at a depth [m]. */
  scaleAt(depth) { return this.focal / Math.max(depth, 1e-6); }

  /** World [m] to pixels and depth [m]. */
  to(point) {
    const v = minus(point, this.eye);
    const depth = -dot(v, this.back);
    const f = this.focal / Math.max(depth, 1e-6);
    return [
      this.width / 2 + dot(v, this.right) * f, this.height / 2 - this.shift - dot(v, this.up) * f, depth,
    ];
  }

  /** Direction of the ray through a pixel. */
  ray([px, py]) {
    const x = (px - this.width / 2) / this.focal;
    const y = (this.height / 2 - this.shift - py) / this.focal;
    return unit(plus(plus(plus([0, 0, 0], this.right, x), this.up, y), this.back, -1));
  }

  /** The point under a pixel in the plane of the screen through a point. */
  from(pixel, through = this.target) {
    const ray = this.ray(pixel);
    return plus(this.eye, ray, dot(minus(through, this.eye), this.back) / dot(ray, this.back));
  }

  /** Turn about the target; `shifts`: move it instead. */
  move(dx, dy, shifts) {
    if (shifts) {
      const f = this.distance / this.focal;
      this.target = plus(plus(this.target, this.right, -dx * f), this.up, dy * f);
      this.isFitted = false;
      this.isMoved = true;
    } else {
      this.yaw -= dx * TURN;
      this.pitch = Math.min(STEEPEST, Math.max(-STEEPEST, this.pitch + dy * TURN));
    }
    this.update();
  }

  zoom(factor) {
    const before = this.distance;
    this.distance = Math.min(Math.max(before / factor, this.fitted / 200), 200 * this.fitted);
    const [middle, half] = [this.target, scaled(sizeOf(this.box), this.distance / before / 2)];
    this.zone = this.box = [...minus(middle, half), ...plus(middle, half)];
    this.isFitted = false;
    this.update();
  }

  /** Pixels per metre at the target. */
  get scale() { return this.focal / this.distance; }

  /**
   * From the axes of the world, about the target, to clip space, column by column: numbers of 32
   * bits, which that has, are fine enough near the target, wherever that is.
   */
  matrix() {
    const near = this.distance * 0.02;
    const far = this.distance * 40;
    const { right: r, up: u, back: b } = this;
    const fx = (2 * this.focal) / this.width;
    const fy = (2 * this.focal) / this.height;
    const s = (2 * this.shift) / this.height;
    const t = [0, 0, -this.distance];
    const zz = -(far + near) / (far - near);
    const zw = (-2 * far * near) / (far - near);
    const out = [];
    for (let k = 0; k < 4; k++) {
      const [x, y, z, w] = k < 3 ? [r[k], u[k], b[k], 0] : [t[0], t[1], t[2], 1];
      out.push(fx * x, fy * y - s * z, zz * z + zw * w, -z);
    }
    return out;
  }
}
