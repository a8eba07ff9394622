/** Equations of motion: symbols as Python typeset them, or the numbers that they have now. */
import { told } from './numbers.js';

const MATH = 'http://www.w3.org/1998/Math/MathML';

export class Equations {
  /** @param {HTMLElement} box - its MathML has `data-symbol` at every symbol */
  constructor(box, source) {
    this.source = source;
    this.places = [...box.querySelectorAll('[data-symbol]')].map((element) => ({
      element, name: element.dataset.symbol, own: [...element.childNodes],
    }));
    this.isOn = false;
  }

  get hasNumbers() { return this.places.length > 0; }

  /** Show numbers, or symbols again. */
  turn(isOn) {
    this.isOn = isOn;
    if (isOn) this.show();
    else {
      for (const { element, own } of this.places) {
        element.replaceChildren(...own);
        element.classList.remove('now');
      }
    }
  }

  /** Write the numbers of now. */
  show() {
    if (!this.isOn) return;
    const numbers = { ...this.source.values, ...this.source.coordinates?.() };
    for (const { element, name } of this.places) {
      const value = numbers[name];
      if (value === undefined) continue;
      const text = told(value);
      if (element.textContent === text) continue;
      const number = document.createElementNS(MATH, 'mn');
      number.textContent = text;
      element.replaceChildren(number);
      element.classList.add('now');
    }
  }
}
