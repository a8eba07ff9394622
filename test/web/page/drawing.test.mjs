import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContactMarks } from '../../../symcontact_ros/web/page/contact_marks.js';
import { Ghost } from '../../../symcontact_ros/web/page/ghost.js';
import { History, rowOf } from '../../../symcontact_ros/web/page/history.js';
import { hit, MESHED, meshOf } from '../../../symcontact_ros/web/page/meshes.js';
import { OrbitCamera } from '../../../symcontact_ros/web/page/camera_orbit.js';
import { FlatCamera } from '../../../symcontact_ros/web/page/camera_flat.js';
import { axesOf, turned, unturned } from '../../../symcontact_ros/web/page/vectors.js';

const NUMBERS = {
  sphere: [0.2], ellipsoid: [0.3, 0.2, 0.1], capsule: [0.1, 0.3], cylinder: [0.2, 0.3], box: [0.1, 0.2, 0.3],
  convex_hull: [0, 0, 0.1, 0.1, 0, -0.1, -0.1, 0.1, -0.1, -0.1, -0.1, -0.1],
};
const FACES = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];

test('every mesh is around its middle, with normals that point away', () => {
  assert.deepEqual([...MESHED].sort(), Object.keys(NUMBERS).sort());
  for (const kind of MESHED) {
    const { triangles, edges } = meshOf({ kind, numbers: NUMBERS[kind], faces: FACES });
    assert.ok(triangles.length > 0 && triangles.length % 18 === 0 && edges.length % 6 === 0, kind);
    for (const way of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0, 0, -1]]) {
      assert.ok(hit(triangles, [0.001, 0.002, 0.003], way) < 0.5, `${kind} ${way}`); // from inside
    }
    for (let k = 0; k < triangles.length; k += 6) {
      const outwards = triangles[k] * triangles[k + 3] + triangles[k + 1] * triangles[k + 4] + triangles[k + 2] * triangles[k + 5];
      assert.ok(outwards >= -1e-7, kind);
    }
  }
});

test('rays meet a ball where its surface is', () => {
  const { triangles } = meshOf({ kind: 'sphere', numbers: [0.5] });
  assert.ok(Math.abs(hit(triangles, [3, 0.01, 0.02], [-1, 0, 0]) - 2.5) < 0.01);
  assert.equal(hit(triangles, [3, 1, 0], [-1, 0, 0]), Infinity);
});

test('quaternions turn as they should', () => {
  const half = Math.SQRT1_2;
  const axes = axesOf(0, 0, half, half); // a quarter about z
  assert.ok(turned(axes, [1, 0, 0]).every((v, i) => Math.abs(v - [0, 1, 0][i]) < 1e-12));
  assert.ok(unturned(axes, [0, 1, 0]).every((v, i) => Math.abs(v - [1, 0, 0][i]) < 1e-12));
});

test('cameras go to pixels and back, and fit what they shall see', () => {
  const inset = { top: 100, bottom: 120, side: 30 };
  const flat = new FlatCamera({ box: [-1, 0, 0, 3, 2, 0] });
  flat.resize(800, 600, inset);
  const [x, y] = flat.from(flat.to([0.7, 1.3]));
  assert.ok(Math.abs(x - 0.7) < 1e-9 && Math.abs(y - 1.3) < 1e-9);
  for (const corner of [[-1, 0], [3, 2]]) {
    const [px, py] = flat.to(corner);
    assert.ok(px >= 29.9 && px <= 770.1 && py >= 99.9 && py <= 480.1);
  }
  const balls = [[0, 0, 0, 0.5], [2, 1, 0.5, 0.2]];
  const orbit = new OrbitCamera({ box: [-0.5, -0.5, -0.5, 2.2, 1.2, 0.7], balls });
  orbit.resize(800, 600, inset);
  assert.ok(orbit.seesAll());
  const back = orbit.from(orbit.to([2, 1, 0.5]), [2, 1, 0.5]);
  assert.ok(back.every((v, i) => Math.abs(v - [2, 1, 0.5][i]) < 1e-9));
});

test('a history keeps peaks when it is thinned, and forgets what was undone', () => {
  const history = new History();
  for (let i = 0; i < 20000; i++) history.add({ time: i * 1e-3, normal: i === 7777 ? 50 : 0, depth: 0 });
  assert.ok(history.rows.length <= 4000);
  assert.equal(history.peak, 50);
  assert.ok(history.thinned(100).some(({ normal }) => normal === 50));
  history.cut(5);
  assert.equal(history.peak, 0);
  assert.ok(history.rows.at(-1).time <= 5);
});

test('forces are split into normal and friction', () => {
  const row = rowOf({ time: 1, contacts: [{ force: [3, 4, 0], normal: [0, 1, 0], distance: -0.02 }], energies: {}, proximities: [] });
  assert.deepEqual([row.normal, row.tangential, row.depth], [4, 3, 0.02]);
});

test('a contact that is over fades, one that lasts does not', () => {
  const marks = new ContactMarks();
  const contact = { a: 0, b: 1, point: [0, 0, 0], force: [0, 5, 0] };
  marks.add([contact], 0, 0.1);
  assert.equal(marks.now(1000).length, 1); // it is still there
  marks.add([], 1000, 0.1);
  assert.ok(marks.now(1200)[0].age > 0.4);
  assert.equal(marks.now(1500).length, 0);
});

test('the run that was left goes on as a ghost', () => {
  const ghost = new Ghost();
  for (let time = 0; time < 3; time += 0.02) ghost.add({ time, motions: Float64Array.of(time) });
  assert.equal(ghost.at(1), null);
  ghost.cut(1);
  assert.ok(Math.abs(ghost.at(2)[0] - 2) < 0.03);
  assert.equal(ghost.at(5), null);
});
