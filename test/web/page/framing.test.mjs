import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followed, widened } from '../../../symcontact_ros/web/page/boxes.js';
import { FlatCamera } from '../../../symcontact_ros/web/page/camera_flat.js';
import { OrbitCamera } from '../../../symcontact_ros/web/page/camera_orbit.js';
import { Framing } from '../../../symcontact_ros/web/page/framing.js';
import { awayFrom, rimArrow } from '../../../symcontact_ros/web/page/rim.js';
import { MOTION, Scene } from '../../../symcontact_ros/web/page/scene.js';

const INSET = { top: 100, bottom: 120, side: 30, scale: 480 };
const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A scene of free balls above ground: `[x, y, z, radius]` each. */
function sceneOf(balls, dimension = 2) {
  const up = dimension === 2 ? [0, 1, 0, 0] : [0, 0, 1, 0];
  const instant = { motions: new Float64Array(MOTION * (balls.length + 1)) };
  balls.forEach(([x, y, z], i) => instant.motions.set([x, y, z, 0, 0, 0, 1], MOTION * (i + 1)));
  const at = (body, kind, numbers) => ({ body, kind, numbers, position: [0, 0, 0], axes: IDENTITY });
  return new Scene({
    instant,
    description: {
      dimension,
      bodies: [{ name: 'floor', isFixed: true }, ...balls.map((_, i) => ({ name: `ball_${i}`, isFloating: true }))],
    },
    geometry: {
      bodies: [0, ...balls].map(() => ({ com: [0, 0, 0] })),
      shapes: [at(0, 'half_space', up), ...balls.map((ball, i) => at(i + 1, dimension === 2 ? 'circle' : 'sphere', [ball[3]]))],
    },
  });
}

/** Move a ball of a scene. */
function moved(scene, ball, place) {
  scene.instant.motions.set(place, MOTION * (ball + 1));
  scene.take(scene.instant);
}

const cameraOf = (frame, dimension) => {
  const camera = dimension === 2 ? new FlatCamera(frame) : new OrbitCamera(frame);
  camera.resize(800, 600, INSET);
  return camera;
};

test('the first view has the bodies where they are now, and the ground below them', () => {
  for (const dimension of [2, 3]) {
    const up = dimension - 1;
    const place = [412, 0, 0].map((x, k) => (k === up ? 0.7 : x));
    const scene = sceneOf([[...place, 0.2]], dimension);
    const camera = cameraOf(new Framing(scene).best(), dimension);
    const foot = place.map((x, k) => (k === up ? 0 : x));
    for (const point of [place, foot]) {
      const [x, y] = camera.to(point);
      assert.ok(x > INSET.side && x < 800 - INSET.side && y > INSET.top && y < 480.1, `${dimension}: ${x}, ${y}`);
    }
    assert.ok(0.2 * camera.scaleAt(camera.to(place)[2] ?? 1) > 20, 'it is no dot');
  }
});

test('the run that is known ahead is looked at while bodies are in it', () => {
  const scene = sceneOf([[0, 1, 0, 0.2]]);
  const run = { box: [-0.2, 0, -0.2, 4, 1.2, 0.2], balls: [] };
  const framing = new Framing(scene, run);
  assert.equal(framing.best(), run);
  moved(scene, 0, [40, 0.2, 0]);
  assert.ok(framing.best().box[0] > 38);
  moved(scene, 0, [0, 1, 0]);
  assert.notEqual(new Framing(scene, { ...run, box: [-0.2, 0, -0.2, 400, 1.2, 0.2] }).best(), run); // dots
});

test('a body that flew far away leaves the others in the view, and an arrow points to it', () => {
  const scene = sceneOf([[0, 1, 0, 0.2], [0.5, 1, 0, 0.2], [1e6, 5e5, 0, 0.2]]);
  const framing = new Framing(scene);
  const camera = cameraOf(framing.best(), 2);
  assert.ok(camera.scale > 50);
  assert.deepEqual(awayFrom(camera, scene, framing.reaches), [3]);
  const { from, to } = rimArrow(camera, camera.to(scene.com(3)));
  assert.ok(to[0] > 700 && to[0] < 800 && to[1] > 0 && to[1] < 480, String(to));
  assert.ok(from[0] < to[0] && from[1] > to[1]); // right and up
});

test('two bodies far apart: one is looked at, an arrow points to the other', () => {
  const scene = sceneOf([[0, 0.01, 0, 0.001], [300, 0.01, 0, 0.001]]);
  const framing = new Framing(scene);
  const camera = cameraOf(framing.best(), 2);
  assert.ok(0.001 * camera.scale > 3);
  assert.equal(awayFrom(camera, scene, framing.reaches).length, 1);
});

test('arrows point to what is behind the eye too', () => {
  const scene = sceneOf([[0, 0, 0.3, 0.2]], 3);
  const framing = new Framing(scene);
  const camera = cameraOf(framing.best(), 3);
  assert.deepEqual(awayFrom(camera, scene, framing.reaches), []);
  const place = camera.eye.map((x, k) => x + 5 * camera.back[k] + 2 * camera.right[k]);
  moved(scene, 0, place);
  assert.deepEqual(awayFrom(camera, scene, framing.reaches), [1]);
  const { to } = rimArrow(camera, camera.to(place));
  assert.ok(to[0] > 700 && to.every(Number.isFinite), String(to));
});

test('a box follows by the least move, and grows where it must', () => {
  const box = [0, 0, 0, 4, 2, 1];
  assert.deepEqual(followed(box, [1, 0, 0, 2, 1, 1], true), box);
  assert.deepEqual(followed(box, [5, 0, 0, 6, 1, 1], true), [2, 0, 0, 6, 2, 1]);
  assert.deepEqual(followed(box, [-3, 0, 0, -2, 5, 1], true), [-3, 0, 0, 1, 5, 1]);
  assert.deepEqual(followed(box, [-3, 0, 0, 8, 2, 1], false), box); // one looks at a part
  assert.deepEqual(followed(box, [1, 0, 0, 9, 2, 1], false), [1, 0, 0, 5, 2, 1]);
  assert.deepEqual(widened(box, 1, 4), [0, -1, 0, 4, 3, 1]);
});

test('a camera goes with a body that leaves, and farther away only if it was fitted', () => {
  for (const dimension of [2, 3]) {
    const scene = sceneOf([[0, 0.2, 0.2, 0.2]], dimension);
    const framing = new Framing(scene);
    const camera = cameraOf(framing.best(), dimension);
    const before = camera.scale;
    for (let x = 0; x < 30; x += 0.1) {
      moved(scene, 0, [x, 0.2, 0.2]);
      camera.follow(framing.now().box);
      assert.deepEqual(awayFrom(camera, scene, framing.reaches), [], `${dimension}: ${x}`);
    }
    assert.ok(Math.abs(camera.scale / before - 1) < 1e-6);
    camera.zoom(1.5);
    const [zoomed] = [camera.scale];
    moved(scene, 0, dimension === 2 ? [30, 3, 0] : [30, 0, 3]);
    camera.follow(framing.now().box);
    assert.ok(Math.abs(camera.scale / zoomed - 1) < 1e-6);
    camera.show(framing.best());
    moved(scene, 0, dimension === 2 ? [30, 5.5, 0] : [30, 0, 5.5]);
    const fitted = camera.scale;
    camera.follow(framing.now().box);
    assert.ok(camera.scale < fitted);
    assert.deepEqual(awayFrom(camera, scene, framing.reaches), []);
  }
});
