/** How far bodies reach from their centres of mass. */
import { rodReach } from './rods.js';
import { minus, norm } from './vectors.js';

/** How far a shape reaches from its middle, by its numbers. */
const REACHES = {
  circle: ([radius]) => radius,
  sphere: ([radius]) => radius,
  capsule: ([radius, half]) => radius + half,
  cylinder: (numbers) => Math.hypot(...numbers),
  rectangle: (numbers) => Math.hypot(...numbers),
  box: (numbers) => Math.hypot(...numbers),
  ellipse: (numbers) => Math.max(...numbers),
  ellipsoid: (numbers) => Math.max(...numbers),
  polygon: (numbers) => farthest(numbers, 2),
  convex_hull: (numbers) => farthest(numbers, 3),
};

function farthest(numbers, stride) {
  let most = 0;
  for (let i = 0; i < numbers.length; i += stride) {
    most = Math.max(most, Math.hypot(...numbers.slice(i, i + stride)));
  }
  return most;
}

/** The reach of every body of a scene [m]; 0 of what is no more than a point. */
export function reachesOf(scene) {
  const { geometry, bodies } = scene;
  const reaches = bodies.map(() => 0);
  for (const { body, kind, numbers, position } of geometry.shapes) {
    if (kind === 'half_space') continue;
    const reach = norm(minus(position, geometry.bodies[body].com)) + REACHES[kind](numbers);
    reaches[body] = Math.max(reaches[body], reach);
  }
  return reaches.map((reach, i) => reach || rodReach(scene, i));
}
