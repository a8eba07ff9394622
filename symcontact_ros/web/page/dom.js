/** Small helpers for the page. */

export const $ = (id) => document.getElementById(id);

/** Make an element with properties and children; children that are text stay text. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'aria') for (const [key, text] of Object.entries(value)) element.setAttribute(`aria-${key}`, text);
    else element[name] = value;
  }
  element.append(...children);
  return element;
}

/** Set a text only where it is another one: cheaper, and quiet for screen readers. */
export function setText(element, text) { if (element.textContent !== text) element.textContent = text; }

/** Fill the track of a slider up to its thumb. */
export function fill(input) {
  const { min, max, value } = input;
  input.style.setProperty('--fill', `${(100 * (value - min)) / (max - min || 1)}%`);
}

let hinting = 0;

/** Say something on the stage, and to screen readers. */
export function say(text, duration = 4500) {
  $('hint').textContent = text;
  $('hint').classList.add('on');
  $('spoken').textContent = text;
  clearTimeout(hinting);
  hinting = setTimeout(() => $('hint').classList.remove('on'), duration);
}
