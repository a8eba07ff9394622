/** The view of a planar model: the plane, moved and scaled. */
import { alike, followed, middleOf } from './boxes.js';

export class FlatCamera {
  /** @param {object} frame - `box`: what is to be seen, x, y, z of two corners [m]; `zone`: where bodies are not followed */
  constructor({ box, zone = box }) { Object.assign(this, { box, zone, x: 0, y: 0, scale: 100, isFitted: true, isMoved: false }); }

  /** Take the size of the stage [px] and what of it is covered. */
  resize(width, height, inset) {
    Object.assign(this, { width, height, inset });
    if (this.isFitted) this.fit();
  }

  /** Look at something else. */
  show({ box, zone = box }) {
    Object.assign(this, { box, zone });
    this.fit();
  }

  /** Keep a box in view that was there: go with it, and if the view was fitted, farther away. */
  follow(other) {
    const zone = followed(this.zone, other, this.isFitted);
    const box = alike(this.box, this.zone, zone);
    this.zone = zone;
    const [from, to] = [middleOf(this.box), middleOf(box)];
    this.box = box;
    if (this.isFitted) { this.fit(); return; }
    this.x += to[0] - from[0];
    this.y += to[1] - from[1];
  }

  fit() {
    const [x0, y0, , x1, y1] = this.box;
    const { top, bottom, side } = this.inset;
    const wide = Math.max(this.width - 2 * side, 40);
    const tall = Math.max(this.height - top - bottom, 40);
    this.scale = Math.min(wide / (x1 - x0), tall / (y1 - y0));
    this.x = (x0 + x1) / 2;
    this.y = (y0 + y1) / 2 - (bottom - top) / 2 / this.scale;
    this.isFitted = true;
    this.isMoved = false;
  }

  /** The middle of the picture in the world [m]. */
  get centre() { return [this.x, this.y, 0]; }

  /** Pixels per metre; the same everywhere. */
  scaleAt() { return this.scale; }

  /** World [m] to pixels. */
  to([x, y]) {
    return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale];
  }

  /** Pixels to the world [m]. */
  from([px, py]) {
    return [
      this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale, 0,
    ];
  }

  move(dx, dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.isFitted = false;
    this.isMoved = true;
  }

  zoom(factor, at = [this.width / 2, this.height / 2]) {
    const [x, y] = this.from(at);
    this.scale = Math.min(Math.max(this.scale * factor, 0.1), 1e6);
    const [nx, ny] = this.from(at);
    this.x += x - nx;
    this.y += y - ny;
    this.isFitted = false;
    const { top, bottom, side } = this.inset;
    const [x0, y0] = this.from([side, this.height - bottom]);
    const [x1, y1] = this.from([this.width - side, top]);
    this.zone = this.box = [x0, y0, this.box[2], x1, y1, this.box[5]];
  }
}
