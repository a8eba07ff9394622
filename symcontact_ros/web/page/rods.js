/** Bodies without shapes: rods from their centres of mass to their joints. */
import { minus, norm, plus } from './vectors.js';

export const hasShape = ({ geometry }, body) => geometry.shapes.some((shape) => shape.body === body);

/** Where the rods of a body end: at its joints, and where a uniform rod of its inertia would. */
export function rodEnds(scene, body) {
  const { bodies, frames, source: { description: { rods } } } = scene;
  const { name } = bodies[body];
  const centre = scene.com(body);
  const { position } = frames[body];
  const ends = [position, plus(centre, minus(centre, position), rods?.[name] ?? 0)];
  bodies.forEach(({ parent }, i) => { if (parent === name) ends.push(frames[i].position); });
  return ends;
}

/** The longest of them [m]. */
export const rodReach = (scene, body) => Math.max(...rodEnds(scene, body).map((end) => norm(minus(end, scene.com(body)))));

/** Draw the rods of all bodies without shapes; `lineOf`: the colour of a body. */
export function drawRods(pen, scene, camera, lineOf) {
  pen.lineWidth = 4;
  scene.bodies.forEach(({ isFixed }, i) => {
    if (isFixed || hasShape(scene, i)) return;
    const [x, y, depth = 1] = camera.to(scene.com(i));
    pen.strokeStyle = lineOf(i);
    pen.beginPath();
    for (const end of rodEnds(scene, i)) {
      const [ex, ey, far = 1] = camera.to(end);
      if (Math.min(depth, far) <= 0) continue; // behind the eye
      pen.moveTo(ex, ey);
      pen.lineTo(x, y);
    }
    pen.stroke();
  });
}
