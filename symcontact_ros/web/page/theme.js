/** Colours: those of the style sheet, for canvases; dark or light, as the system or the reader wants. */

/** Colours that people with any colour vision tell apart (Okabe and Ito), for bodies. */
const BODY_COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#b8a800'];

const NAMES = [
  'paper', 'card', 'ink', 'soft', 'faint', 'line', 'grid', 'grid-strong', 'ground', 'hatch', 'accent',
  'force', 'near', 'pull', 'tangential', 'kinetic', 'potential', 'elastic', 'dissipated', 'integration',
];

const KEY = 'symcontact-theme';

/** A colour `#rrggbb`, mixed with another one. */
export function mixed(one, other, share) {
  if (!/^#[0-9a-f]{6}$/i.test(one)) return one;
  const parts = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
  const a = parts(one);
  const b = parts(other);
  const out = a.map((v, i) => Math.round(v + (b[i] - v) * share).toString(16).padStart(2, '0'));
  return `#${out.join('')}`;
}

/** The red, green and blue of a colour `#rrggbb`, from 0 to 1. */
export const rgb = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16) / 255);

/** The colour of every body: null for those that never move. */
export function bodyColours(bodies) {
  let next = 0;
  return bodies.map((body) => (body.isFixed ? null : BODY_COLOURS[next++ % BODY_COLOURS.length]));
}

/** Dark or light: the system's choice until the reader makes one. */
export class Theme {
  constructor(changed) {
    this.changed = changed;
    this.system = matchMedia('(prefers-color-scheme: dark)');
    this.system.addEventListener('change', () => this.apply());
    try { this.chosen = localStorage.getItem(KEY); } catch { this.chosen = null; }
    this.apply();
  }

  get dark() { return this.chosen ? this.chosen === 'dark' : this.system.matches; }

  /** Change to the other one, and remember it. */
  toggle() {
    this.chosen = this.dark ? 'light' : 'dark';
    try { localStorage.setItem(KEY, this.chosen); } catch { /* not everywhere may pages remember */ }
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
    const style = getComputedStyle(document.documentElement);
    this.look = { dark: this.dark };
    for (const name of NAMES) this.look[name] = style.getPropertyValue(`--${name}`).trim();
    this.changed();
  }

  /** A colour of a body as a line: lighter on dark paper. */
  line(colour) { return this.dark ? mixed(colour, '#ffffff', 0.25) : colour; }
}
