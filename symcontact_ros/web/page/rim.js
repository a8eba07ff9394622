/** What is out of view, and where at the rim of the picture it is. */
import { minus, norm } from './vectors.js';

const MARGIN = 20; // [px] from the rim to the tip of an arrow
const LENGTH = 30; // [px] of an arrow

/** Bodies, of those that reach so far, none of which is in the free part of a picture, the nearest first. */
export function awayFrom(camera, scene, reaches) {
  const { width, inset } = camera;
  const away = [...reaches].flatMap(([i, reach]) => {
    const [x, y, depth = 1] = camera.to(scene.com(i));
    const r = reach * camera.scaleAt(depth);
    const isSeen = depth > 0 && x > -r && x < width + r && y > -r && y < inset.scale + r;
    return isSeen ? [] : [{ i, distance: norm(minus(scene.com(i), camera.centre)) }];
  });
  return away.sort((one, other) => one.distance - other.distance).map(({ i }) => i);
}

/** An arrow at the rim towards a pixel that is beyond. */
export function rimArrow({ width, inset }, [px, py]) {
  const top = inset.top - MARGIN;
  const bottom = inset.scale - MARGIN;
  const middle = [width / 2, (top + bottom) / 2];
  const way = [px - middle[0], py - middle[1]];
  const room = [width / 2 - MARGIN, (bottom - top) / 2];
  const length = Math.min(...way.map((d, k) => room[k] / Math.max(Math.abs(d), 1e-9)));
  const far = Math.hypot(...way);
  return {
    to: middle.map((m, k) => m + way[k] * length),
    from: middle.map((m, k) => m + way[k] * length - (LENGTH * way[k]) / far),
  };
}
