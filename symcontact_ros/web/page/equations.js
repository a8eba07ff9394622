/** Equations of motion: symbols as Python typeset them, or the numbers that they have now. */
import { told } from './numbers.js';

const MATH = 'http://www.w3.org/1998/Math/MathML';
const INVISIBLE_TIMES = '\u2062';

export class Equations {
  /** @param {HTMLElement} box - its MathML has `data-symbol` at every symbol */
  constructor(box, source) {
    this.source = source;
    this.places = [...box.querySelectorAll('[data-symbol]')].map((element) => ({
      element, name: element.dataset.symbol, own: [...element.childNodes], text: '',
    }));
    this.products = [...box.querySelectorAll('mo')].filter((mo) => mo.textContent === INVISIBLE_TIMES);
    this.isOn = false;
  }

  get hasNumbers() { return this.places.length > 0; }

  /** Show numbers, or symbols again. */
  turn(isOn) {
    this.isOn = isOn;
    for (const product of this.products) product.textContent = isOn ? '·' : INVISIBLE_TIMES;
    if (isOn) this.show();
    else for (const place of this.places) {
      place.element.replaceChildren(...place.own);
      place.element.classList.remove('now');
      place.text = '';
    }
  }

  /** Write the numbers of now. */
  show() {
    if (!this.isOn) return;
    const numbers = { ...this.source.values, ...this.source.coordinates?.() };
    for (const place of this.places) {
      const value = numbers[place.name];
      if (value === undefined) continue;
      const text = value < 0 ? `(${told(value)})` : told(value);
      if (place.text === text) continue;
      place.text = text;
      const number = document.createElementNS(MATH, 'mn');
      number.textContent = text;
      place.element.replaceChildren(number);
      place.element.classList.add('now');
    }
  }
}
