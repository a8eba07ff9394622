/**
 * What is drawn: shapes on bodies, where an instant has them.
 *
 * Geometry, which symbols may change, is `{bodies: [{com, mass}], shapes: [{body, kind, numbers,
 * position, axes, faces?}]}`, all of it in the frame of the body; the numbers of a shape are those of
 * a model file, in the order of docs/models.md.
 */
import { axesOf, cross, minus, plus, turned, turnedAxes } from './vectors.js';

/** Numbers of a body in `Instant.motions`: position, quaternion x y z w, velocity of its centre of mass, rate. */
export const MOTION = 13;

export class Scene {
  /** @param {object} source - see docs/web.md */
  constructor(source) {
    this.source = source;
    this.bodies = source.description.bodies;
    this.dimension = source.description.dimension;
    this.take(source.instant);
  }

  get geometry() { return this.source.geometry; }

  /** Take the motions of an instant. */
  take(instant) {
    this.instant = instant;
    this.frames = this.bodies.map((_, i) => frameOf(instant.motions, i));
    this.placed = null;
  }

  com(body) {
    const { axes, position } = this.frames[body];
    return plus(position, turned(axes, this.geometry.bodies[body].com));
  }

  /** Axes and position of a shape in the world. */
  shapeFrame(shape) {
    this.placed ??= this.geometry.shapes.map(({ body, position, axes }) => {
      const frame = this.frames[body];
      return {
        axes: turnedAxes(frame.axes, axes), position: plus(frame.position, turned(frame.axes, position)),
      };
    });
    return this.placed[shape];
  }

  /** Normal and offset in the world of a half-space. */
  halfSpace(shape) {
    const { axes, position } = this.shapeFrame(shape);
    const [x, y, z, offset] = this.geometry.shapes[shape].numbers;
    const normal = turned(axes, [x, y, z]);
    return { normal, offset: offset + normal[0] * position[0] + normal[1] * position[1] + normal[2] * position[2] };
  }
}

/** Axes and position of a body of an instant. */
export function frameOf(motions, body) {
  const m = motions.subarray(MOTION * body, MOTION * (body + 1));
  return { axes: axesOf(m[3], m[4], m[5], m[6]), position: [m[0], m[1], m[2]] };
}

/** Velocity of a point of a body that is at a place of the world. */
export function velocityAt(motions, body, point, com) {
  const m = motions.subarray(MOTION * body, MOTION * (body + 1));
  return plus([m[7], m[8], m[9]], cross([m[10], m[11], m[12]], minus(point, com)));
}
