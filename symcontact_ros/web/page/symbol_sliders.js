/** Sliders of live symbols, with numbers that can be typed and a way back for each. */
import { $, fill, make } from './dom.js';
import { typed, told, unitText } from './numbers.js';
import { groupOf, placeOf, rangeOf, rankOf, valueAt } from './ranges.js';

const SHOWN = 7; // the others are under "More"
const CATCH = 0.012; // of the slider: that near to the model's value, it is that
const UNDO = 'M4 10a6 6 0 1 0 2-4.5M4 3v4h4';

/** A name as people say it: of a description, or of the symbol. */
function labelOf({ name, description }) {
  const text = (description || name).replaceAll('_', ' ').replace(' of material default', '');
  return text[0].toUpperCase() + text.slice(1);
}

function undoIcon() {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', UNDO);
  svg.append(path);
  return svg;
}

/**
 * One row: name, slider, number, unit, way back.
 * @param {object} what - `{label, unit, value, range, title, accepts(value)}`; value: the model's own
 * @param {function(number): string} give - takes a value; returns why not, or ''
 */
export function sliderRow({ label, unit, value: own, range, title = '', id = '' }, give) {
  const name = make('span', { className: 'name', title }, label);
  const bar = make('input', { type: 'range', min: 0, max: 1, step: 'any', aria: { label } });
  const text = make('input', {
    type: 'text', inputMode: 'decimal', autocomplete: 'off', spellcheck: false, aria: { label: `${label}, as a number` },
  });
  const undo = make('button', { className: 'undo', title: `Back to ${typed(own)}`, aria: { label: `${label}: back to ${typed(own)}` } }, undoIcon());
  const row = make('div', { className: 'slider' }, name, bar, text, make('small', {}, unit), undo);
  if (id) row.dataset.symbol = id;
  let now = own;
  const show = (value) => {
    now = value;
    bar.value = placeOf(value, range);
    bar.setAttribute('aria-valuetext', `${told(value)} ${unit}`);
    if (document.activeElement !== text) text.value = brief(value);
    row.classList.toggle('changed', value !== own);
    row.classList.remove('wrong');
    fill(bar);
  };
  const take = (value) => {
    const why = give(value);
    if (!why) show(value);
    else show(now);
    row.classList.toggle('wrong', Boolean(why));
  };
  bar.addEventListener('input', () => {
    const place = Number(bar.value);
    take(Math.abs(place - placeOf(own, range)) < CATCH ? own : valueAt(place, range));
  });
  bar.addEventListener('keydown', (event) => { // steps of a hundredth of the range
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!step) return;
    event.preventDefault();
    take(valueAt(Math.min(1, Math.max(0, placeOf(now, range) + step / 100)), range));
  });
  text.addEventListener('focus', () => { text.value = typed(now); text.select(); });
  text.addEventListener('change', () => {
    const value = Number(text.value.trim().replace(',', '.').replace('−', '-'));
    if (text.value.trim() === '' || !Number.isFinite(value)) row.classList.add('wrong');
    else take(value);
  });
  text.addEventListener('blur', () => { text.value = brief(now); row.classList.remove('wrong'); });
  undo.addEventListener('click', () => take(own));
  show(own);
  return { row, show };
}

/** A number that fits its field. */
function brief(value) {
  const plain = typed(value);
  if (plain.length <= 7) return plain;
  return told(value, 4).length <= 7 ? told(value, 4) : told(value, 3);
}

/** The sliders of all live symbols of a source. */
export class SymbolSliders {
  /** @param {function(string)} refuse - is told why a value was not taken */
  constructor(source, refuse) {
    Object.assign(this, { source, refuse, rows: new Map() });
    $('restore').addEventListener('click', () => this.restore());
    source.on('change', () => this.show());
    this.build();
  }

  build() {
    const { symbols, dimension, pairs } = this.source.description;
    const order = symbols
      .map((symbol, i) => ({ symbol, rank: rankOf(symbol, dimension, pairs?.length > 0), i }))
      .sort((a, b) => a.rank - b.rank || a.i - b.i);
    const early = order.filter(({ rank }) => rank < 7).slice(0, SHOWN);
    const rest = order.filter((one) => !early.includes(one));
    const box = $('sliders');
    box.replaceChildren(...early.map(({ symbol }) => this.rowOf(symbol)));
    const more = make('details', {}, make('summary', {}, `More (${rest.length})`));
    for (const group of ['Gravity', 'Bodies', 'Motion at the start', 'Contact', 'Joints']) {
      const own = rest.filter(({ symbol }) => groupOf(symbol) === group);
      if (own.length) more.append(make('h3', {}, group), ...own.map(({ symbol }) => this.rowOf(symbol)));
    }
    if (rest.length) box.append(more);
    if (!symbols.length) box.append(make('p', { className: 'why' }, 'This model has no live symbols.'));
    this.show();
  }

  rowOf(symbol) {
    const { name, unit, min, max, refused, description } = symbol;
    const limits = `${min === null ? '−∞' : typed(min)} to ${max === null ? '∞' : typed(max)}`;
    const made = sliderRow({
      label: labelOf(symbol), unit: unitText(unit), value: symbol.value, range: rangeOf(symbol), id: name,
      title: `${name}: ${description || 'live symbol'}, ${limits}${unit ? ` ${unitText(unit)}` : ''}`,
    }, (value) => {
      const why = this.source.setParameters({ [name]: value });
      if (why) this.refuse(why);
      return why;
    });
    if (refused) {
      made.row.classList.add('fixed');
      made.row.title = `Cannot be changed here: ${refused}`;
      for (const input of made.row.querySelectorAll('input')) input.disabled = true;
    }
    this.rows.set(name, made);
    return made.row;
  }

  show() {
    const { values } = this.source;
    for (const [name, { show }] of this.rows) show(values[name]);
    $('restore').hidden = this.source.description.symbols.every(({ name, value }) => values[name] === value);
  }

  /** Give all symbols the values of the model. */
  restore() {
    const { values } = this.source;
    const own = this.source.description.symbols.filter(({ name, value }) => values[name] !== value);
    const why = this.source.setParameters(Object.fromEntries(own.map(({ name, value }) => [name, value])));
    if (why) this.refuse(why);
  }
}
