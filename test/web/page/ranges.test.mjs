import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupOf, placeOf, rangeOf, rankOf, valueAt } from '../../../symcontact_ros/web/page/ranges.js';

const symbol = (name, value, more = {}) => ({ name, value, min: null, max: null, unit: '', description: '', ...more });

test('limits of the model are those of the slider', () => {
  const range = rangeOf(symbol('m', 0.1, { min: 0.01, max: 10, unit: 'kg' }));
  assert.deepEqual(range, { min: 0.01, max: 10, isLog: true });
  assert.equal(rangeOf(symbol('s', 0.5, { min: 0.2, max: 1 })).isLog, false);
});

test('a value is within its range, and limits without an end are bounded', () => {
  const symbols = [
    symbol('gravity.y', -9.81, { unit: 'm/s^2' }), symbol('materials.a.stiffness', 1e7, { min: 1e-12 }),
    symbol('materials.a.friction', 0.3, { min: 0 }), symbol('hinge.damping', 0, { min: 0 }),
    symbol('x', 0), symbol('x', -3), symbol('x', 5), symbol('ball.mass', 2, { min: 1e-12, unit: 'kg' }),
    symbol('l', 0.5, { unit: 'm', min: 0 }), symbol('n', 1, { min: 1, max: 1 }),
  ];
  for (const one of symbols) {
    const { min, max, isLog } = rangeOf(one);
    assert.ok(Number.isFinite(min) && Number.isFinite(max) && min < max, one.name);
    assert.ok(min <= one.value && one.value <= max, `${one.name} ${min} ${max}`);
    assert.ok(!isLog || min > 0, one.name);
    assert.ok(one.min === null || min >= one.min, one.name);
  }
});

test('places and values are each other’s reverse', () => {
  for (const range of [{ min: 0.01, max: 100, isLog: true }, { min: -20, max: 20, isLog: false }]) {
    for (let place = 0; place <= 1; place += 0.125) {
      assert.ok(Math.abs(placeOf(valueAt(place, range), range) - place) < 0.01);
    }
    assert.equal(valueAt(0, range), range.min);
    assert.equal(valueAt(1, range), range.max);
    assert.equal(placeOf(1e9, range), 1);
  }
});

test('what people reach for first comes first', () => {
  const names = ['materials.default.slip_speed', 'm', 'gravity.y', 'materials.default.friction'];
  const order = names.sort((a, b) => rankOf(symbol(a, 1), 2) - rankOf(symbol(b, 1), 2));
  assert.deepEqual(order, ['gravity.y', 'materials.default.friction', 'm', 'materials.default.slip_speed']);
  assert.equal(rankOf(symbol('gravity.z', 0), 2), 9);
  assert.equal(groupOf(symbol('rail.damping', 0, { description: 'damping of joint rail' })), 'Joints');
});
