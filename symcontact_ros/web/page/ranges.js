/** Ranges of sliders: over which values a live symbol is worth moving, and on which scale. */

const POSITIVE_ENDS = /(^|\.)(mass|stiffness|radius|length|inertia|slip_speed|presliding|limit_stiffness)$/;

/** What a symbol is of: the heading under which it stands. */
export function groupOf({ name, unit, description = '' }) {
  if (name === 'g' || name.startsWith('gravity')) return 'Gravity';
  if (name.startsWith('materials.')) return 'Contact';
  if (/ of joint /.test(description)) return 'Joints';
  if (unit === 'm/s' || unit === 'rad/s') return 'Motion at the start';
  return 'Bodies';
}

/**
 * Range of a slider.
 * @param {object} symbol - `{name, value, min, max, unit}`; a limit may be null
 * @returns {{min: number, max: number, isLog: boolean}}
 */
export function rangeOf({ name, value, min, max, unit }) {
  const low = min ?? -Infinity;
  const high = max ?? Infinity;
  const clip = (from, to, isLog = false) => {
    const range = { min: Math.max(from, low), max: Math.min(to, high), isLog };
    if (isLog && !(range.min > 0)) range.min = Math.min(value, range.max) / 1000;
    if (!(range.max > range.min)) return { min: range.min, max: range.min + 1, isLog: false };
    return range;
  };
  if (Number.isFinite(low) && Number.isFinite(high)) {
    return clip(low, high, low > 0 && high / low >= 50);
  }
  const size = Math.abs(value);
  if (groupOf({ name, unit }) === 'Gravity') return clip(-Math.max(20, 2 * size), Math.max(20, 2 * size));
  if (/friction$/.test(name) && unit === '') return clip(0, Math.max(1.2, 2 * value));
  const isPositive = low >= 0 || POSITIVE_ENDS.test(name) || unit === 'kg';
  if (value === 0) return isPositive ? clip(0, 1) : clip(-1, 1);
  if (!isPositive || value < 0) return clip(-3 * size, 3 * size);
  if (/damping$/.test(name)) return clip(0, 5 * value);
  if (/stiffness$/.test(name)) return clip(value / 100, value * 100, true);
  if (unit === 'm') return clip(value / 3, value * 3, true);
  return clip(value / 10, value * 10, true);
}

/** How early a symbol is shown: what people reach for first has the lowest rank. */
export function rankOf({ name, unit, refused, description }, dimension, hasContacts = true) {
  if (refused || (dimension === 2 && name === 'gravity.z')) return 9;
  if (!hasContacts && name.startsWith('materials.')) return 9;
  const order = [/^g$|^gravity\.[yz]$/, /friction$/, /^[mM]\d*$|mass$|^m_/, /^[lLRw]\d*$|radius$|length$/, /damping$/, /stiffness$/];
  const place = order.findIndex((pattern) => pattern.test(name));
  if (/slip|presliding|torsional|limit/.test(name) || groupOf({ name, unit, description }) === 'Joints') return 7;
  if (place >= 0) return place;
  return unit === 'kg' ? 2 : 6;
}

/** From a value to a place on the slider, 0 to 1. */
export function placeOf(value, { min, max, isLog }) {
  const place = isLog ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.min(1, Math.max(0, Number.isNaN(place) ? 0 : place));
}

/** From a place on the slider to a value, in three digits. */
export function valueAt(place, { min, max, isLog }) {
  if (place <= 0) return min;
  if (place >= 1) return max;
  const value = isLog ? min * (max / min) ** place : min + (max - min) * place;
  const coarse = isLog ? 0 : (max - min) / 500;
  const kept = isLog ? Number(value.toPrecision(3)) : Math.round(value / coarse) * coarse;
  return Math.min(max, Math.max(min, Number(kept.toPrecision(6))));
}
