import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthText, niceStep, told, typed, unitText } from '../../../symcontact_ros/web/page/numbers.js';

test('numbers are told in a few digits with a true minus', () => {
  assert.equal(told(0), '0');
  assert.equal(told(-9.81), '−9.81');
  assert.equal(told(1234.5), '1235');
  assert.equal(told(1e7), '1.0·10⁷');
  assert.equal(told(-2.04e-7), '−2.0·10⁻⁷');
  assert.equal(told(NaN), '–');
  assert.equal(told(-Infinity), '−∞');
});

test('typed numbers lose nothing', () => {
  for (const value of [0.1, 1 / 3, 1e-12, 78479999.99999999, -9.81]) assert.equal(Number(typed(value)), value);
  assert.equal(typed(0.1), '0.1');
});

test('steps of axes are 1, 2 or 5 times a power of ten', () => {
  assert.equal(niceStep(10, 4), 5);
  assert.ok(Math.abs(niceStep(0.9, 3) - 0.5) < 1e-12);
  assert.equal(niceStep(0, 3), 1);
  assert.equal(niceStep(NaN, 3), 1);
  for (let range = 1e-6; range < 1e6; range *= 1.7) assert.ok(range / niceStep(range, 4) <= 4.01);
});

test('units have raised exponents', () => {
  assert.equal(unitText('N m s/rad'), 'N·m·s/rad');
  assert.equal(unitText('m/s^2'), 'm/s²');
  assert.equal(unitText('N/m^1.5'), 'N/m¹·⁵');
  assert.equal(lengthText(0.0123), '1.23 cm');
  assert.equal(lengthText(-2e-5), '−20 µm');
});
