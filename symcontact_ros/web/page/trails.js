/** Where the centres of mass have been lately. */
import { minus, norm } from './vectors.js';

export class Trails {
  /** @param {number} length - of a trail [s] */
  constructor(bodies, length = 4) {
    this.bodies = bodies;
    this.length = length;
    this.clear();
  }

  clear() { this.points = this.bodies.map(() => []); }

  /** Add where the scene is now; `near` [m]: not, where that is about the last place. */
  add(scene, near) {
    const { time } = scene.instant;
    this.bodies.forEach((body, i) => {
      if (body.isFixed) return;
      const points = this.points[i];
      const place = scene.com(i);
      const last = points.at(-1);
      if (!last || norm(minus(place, last.place)) > near) points.push({ time, place });
      while (points.length && points[0].time < time - this.length) points.shift();
    });
  }

  cut(time) {
    for (const points of this.points) while (points.length && points.at(-1).time > time) points.pop();
  }
}
