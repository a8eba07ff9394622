import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fragmentOf, fromText, readFragment, toText } from '../../../symcontact_ros/web/page/link.js';

test('a fragment comes back as it was', () => {
  const state = new Uint8Array(Float64Array.from({ length: 900 }, (_, i) => Math.sin(i)).buffer);
  const what = { model: 'a&b=#c', variant: 'sat.rk4', steps: 1234, changed: { 'materials.a.friction': 0.25, m: 1e-7 }, state };
  const found = readFragment(fragmentOf(what), 'a&b=#c');
  assert.deepEqual({ ...found, changed: { ...found.changed } }, what);
});

test('bytes are text and bytes again', () => {
  const bytes = Uint8Array.from({ length: 10000 }, (_, i) => (i * 7919) % 256);
  assert.deepEqual(fromText(toText(bytes)), bytes);
  assert.equal(fromText('a+b'), null);
  assert.equal(fromText('a'), null);
});

test('what is wrong in a fragment is left, or all of it is', () => {
  for (const bad of ['', '#', '#x', '#model=b&n=1', '#model=a&n=-1', '#model=a&n=1.5', '#model=a&n=1&x=!', '#model=a', `#model=a&n=1&x=${'A'.repeat(3e5)}`]) {
    assert.equal(readFragment(bad, 'a'), null, bad.slice(0, 40));
  }
  const { changed } = readFragment('#model=a&n=1&p=m:2,__proto__x!:3,k:,k:NaN,l:1e999,:4,q', 'a');
  assert.deepEqual({ ...changed }, { m: 2 });
});

test('a fragment cannot reach prototypes', () => {
  const found = readFragment('#model=a&n=1&p=__proto__:1,constructor:2', 'a');
  assert.equal(Object.getPrototypeOf(found.changed), null);
  assert.equal({}.constructor, Object);
});
