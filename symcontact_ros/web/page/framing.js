/** What there is to be seen: the bodies that move, where they are now, and the ground below them. */
import { boxAround, contains, middleOf, sizeOf, widened } from './boxes.js';
import { reachesOf } from './reaches.js';
import { dot, minus, norm, plus } from './vectors.js';

const APART = 40; // times the largest reach: in a larger view a body would be a dot; many are a cloud
const LOW = 12; // times the size of all that moves: ground farther below is left out
const ROOM = 8; // times the reach of a free body: room to move
const JOINTED = 2; // the same, of a body with others at joints
const SMALLEST = 1e-3; // [m]
const BEHIND = 0.05; // times the size: what is shown behind a line of ground

/** Half-spaces, and whether one can stand on them. */
function planesOf(scene) {
  return scene.geometry.shapes.flatMap(({ kind }, i) => {
    if (kind !== 'half_space') return [];
    const plane = scene.halfSpace(i);
    return [{ ...plane, isGround: plane.normal[scene.dimension === 2 ? 1 : 2] > 0.5 }];
  });
}

export class Framing {
  /** @param {object} [run] - `{box, balls}` of a run that is known ahead */
  constructor(scene, run) {
    Object.assign(this, { scene, run, isPlanar: scene.dimension === 2 });
  }

  /** Moving bodies that are more than points, by their numbers, with how far they reach [m]. */
  get reaches() {
    const { scene } = this;
    if (this.geometry === scene.geometry) return this.known;
    this.geometry = scene.geometry;
    const all = reachesOf(scene).map((reach, i) => [i, reach]).filter(([i]) => !scene.bodies[i].isFixed);
    const seen = all.filter(([, reach]) => reach > 0);
    this.known = new Map((seen.length ? seen : all).map(([i, reach]) => [i, Math.max(reach, SMALLEST)]));
    return this.known;
  }

  /** The largest view in which bodies are more than dots [m]. */
  get limit() { return APART * Math.max(...this.reaches.values()) * Math.sqrt(this.reaches.size); }

  /** Balls around the moving bodies: centre, radius and number; of those far apart, the most central ones. */
  balls() {
    const all = [...this.reaches].map(([i, reach]) => [...this.scene.com(i), reach, i]);
    if (!all.length) return all;
    const { limit } = this;
    if (norm(sizeOf(boxAround(all))) <= limit) return all;
    const median = [0, 1, 2].map((k) => all.map((ball) => ball[k]).sort((a, b) => a - b)[(all.length - 1) >> 1]);
    const apart = (ball, place) => norm(minus(ball, place));
    const first = all.reduce((best, ball) => (apart(ball, median) < apart(best, median) ? ball : best));
    return all.filter((ball) => ball === first || apart(ball, first) < limit / 2);
  }

  /** What there is now: balls, the box around them, and one that has the ground below them too. */
  now() {
    const balls = this.balls();
    if (!balls.length) balls.push([0, 0, 0, 1]);
    const core = boxAround(balls);
    const size = norm(sizeOf(core));
    const middle = middleOf(core);
    for (const { normal, offset, isGround } of planesOf(this.scene)) {
      const gap = dot(normal, middle) - offset;
      const foot = plus(middle, normal, -gap - (this.isPlanar ? BEHIND * size : 0));
      if (Math.abs(gap) < (isGround ? LOW : 1) * size) balls.push([...foot, 0]);
    }
    return { balls, core, box: boxAround(balls) };
  }

  /** Whether bodies are in a box, and more than dots there. */
  isIn(box) {
    const centres = boxAround(this.balls().map(([x, y, z]) => [x, y, z, 0]));
    return norm(sizeOf(box)) < this.limit && contains(box, centres);
  }

  /**
   * What to look at: the run that is known ahead while it is there, else what there is now, with room.
   * Bodies that leave `zone`, by default the box, are followed.
   */
  best() {
    const { balls, core, box } = this.now();
    if (this.run && this.isIn(this.run.box)) return this.run;
    const rooms = balls.map(([, , , reach, i]) => (this.scene.bodies[i]?.isFloating ? ROOM : JOINTED) * reach);
    const room = Math.max(...rooms);
    const around = (width) => (this.isPlanar ? widened(box, 0, width) : widened(widened(box, 0, width), 1, width));
    if (!this.isPlanar) balls.push([...middleOf(core), room / 2]);
    return { balls, box: around(room), zone: around(room / 2) };
  }
}
