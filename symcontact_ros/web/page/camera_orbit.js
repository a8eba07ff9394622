/** The view of a spatial model: an orbit about a point, z up. */
import { cross, dot, minus, plus, unit } from './vectors.js';

const ANGLE = 0.6; // of view, from top to bottom [rad]
const TURN = 0.006; // per pixel [rad]
const STEEPEST = 1.55; // [rad]

export class OrbitCamera {
  /**
   * @param {number[]} box - what is to be seen: two corners [m]
   * @param {number[][]} balls - around the bodies, along the run: centre and radius [m]
   */
  constructor(box, balls) {
    Object.assign(this, { box, balls, yaw: -1.15, pitch: 0.4, isFitted: true });
    this.size = Math.hypot(...minus(box.slice(3), box.slice(0, 3)));
    this.distance = 3 * this.size;
  }

  /** Take the size of the stage [px] and what of it is covered. */
  resize(width, height, inset) {
    Object.assign(this, { width, height, inset });
    if (this.isFitted) this.fit();
    this.update();
  }

  /** Go as near as all balls are still in the picture. */
  fit() {
    const low = this.box.slice(0, 3);
    this.target = plus(low, minus(this.box.slice(3), low), 0.5);
    let [near, far] = [0.1 * this.size, 1e3 * this.size];
    for (let i = 0; i < 40; i++) {
      this.distance = Math.sqrt(near * far);
      this.update();
      if (this.seesAll()) far = this.distance; else near = this.distance;
    }
    this.distance = far;
    this.isFitted = true;
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
    } else {
      this.yaw -= dx * TURN;
      this.pitch = Math.min(STEEPEST, Math.max(-STEEPEST, this.pitch + dy * TURN));
    }
    this.isFitted = false;
    this.update();
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance / factor, 0.02 * this.size), 200 * this.size);
    this.isFitted = false;
    this.update();
  }

  /** Pixels per metre at the target. */
  get scale() { return this.focal / this.distance; }

  /** From the world to clip space, column by column. */
  matrix() {
    const near = this.distance * 0.02;
    const far = this.distance * 40;
    const { right: r, up: u, back: b, eye } = this;
    const fx = (2 * this.focal) / this.width;
    const fy = (2 * this.focal) / this.height;
    const s = (2 * this.shift) / this.height;
    const t = [-dot(r, eye), -dot(u, eye), -dot(b, eye)];
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
