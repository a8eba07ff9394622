/** Numbers as people read them. */

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** An exponent in raised digits. */
export const raised = (number) => [...String(number)]
  .map((c) => RAISED[c] ?? (c === '.' ? '·' : '⁻')).join('');

/**
 * A number in a few digits, with a true minus.
 * @param {number} value
 * @param {number} [digits] - significant ones
 */
export function told(value, digits = 3) {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) {
    const [front, back] = value.toExponential(Math.max(0, digits - 2)).split('e');
    return `${front.replace('-', '−')}·10${raised(Number(back))}`;
  }
  const text = size >= 10 ** digits ? value.toFixed(0) : value.toPrecision(digits);
  return text.replace('-', '−');
}

/** A number of an axis, as short as it goes. */
export const short = (value) => (Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4)
  ? told(value, 2)
  : String(Number(value.toPrecision(6))).replace('-', '−'));

/** A number that can be typed in again without loss. */
export const typed = (value) => {
  const brief = String(Number(value.toPrecision(6)));
  return Number(brief) === value ? brief : String(value);
};

/** The smallest of 1, 2, 5, 10, 20, ... that divides a range into at most `count` parts. */
export function niceStep(range, count) {
  const raw = range / count;
  if (!(raw > 0) || !Number.isFinite(raw)) return 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ([1, 2, 5, 10].find((factor) => factor * power >= raw * 0.999) ?? 10) * power;
}

/** A length with the unit that suits it. */
export function lengthText(metres, digits = 3) {
  const size = Math.abs(metres);
  const plain = (number) => String(Number(number.toPrecision(digits))).replace('-', '−');
  if (size >= 1 || size === 0) return `${plain(metres)} m`;
  if (size >= 0.01) return `${plain(metres * 100)} cm`;
  if (size >= 1e-4) return `${plain(metres * 1e3)} mm`;
  return `${plain(metres * 1e6)} µm`;
}

/** A unit with a raised exponent and a middle dot: `N m/s^2` becomes `N·m/s²`. */
export function unitText(unit) {
  return unit
    .replace(/\^(-?[\d.]+)/g, (_, power) => raised(power))
    .replace(/\^n\b/g, 'ⁿ')
    .replaceAll(' ', '·');
}
