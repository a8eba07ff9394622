/** Geometry of an engine as the page draws it: see scene.js. */
import { minus, plus, unturned } from './vectors.js';

/** Numbers of a shape in the order of a model file, from the record of the engine. */
const NUMBERS = {
  circle: ({ radius }) => [radius],
  sphere: ({ radius }) => [radius],
  rectangle: ({ size }) => size.slice(0, 2),
  ellipse: ({ size }) => size.slice(0, 2),
  box: ({ size }) => size,
  ellipsoid: ({ size }) => size,
  cylinder: ({ size }) => [size[0], size[2]],
  half_space: ({ size, offset }) => [...size, offset],
  polygon: ({ vertices }) => vertices.flat(),
  convex_hull: ({ vertices }) => vertices.flat(),
};

function numbersOf(shape, dimension) {
  if (shape.kind === 'capsule') return [shape.radius, shape.size[dimension === 2 ? 0 : 2]];
  return NUMBERS[shape.kind](shape);
}

/** Triangles of a face. */
const fan = (corners) => corners.slice(2).map((_, k) => [corners[0], corners[k + 1], corners[k + 2]]);

/**
 * Geometry of all bodies now.
 * @param {Engine} engine
 * @param {Array} masses - number, or the name of the symbol that it is
 */
export function geometryOf(engine, masses) {
  const { bodies, dimension } = engine.description;
  const values = engine.parameters;
  const own = bodies.map(({ name }, i) => {
    const { position, rotation: r, com } = engine.motion(name);
    const axes = [r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]];
    const mass = typeof masses[i] === 'string' ? values[masses[i]] : masses[i];
    return { com: unturned(axes, minus(com, position)), mass };
  });
  const shapes = engine.shapes().map((shape) => ({
    body: shape.body,
    kind: shape.kind,
    numbers: numbersOf(shape, dimension),
    position: plus(own[shape.body].com, shape.origin),
    axes: shape.axes,
    faces: shape.faces.flatMap(fan),
  }));
  return { bodies: own, shapes };
}
