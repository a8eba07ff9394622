/** Check boxes of what else a live source lets one turn on and off, such as an option of a controller. */
import { $, make } from './dom.js';

/** Build them, and again whenever the source tells; without any the section stays hidden. */
export function buildSwitches(source) {
  const show = () => {
    const { switches = [] } = source;
    $('switches').hidden = !switches.length;
    $('switchRows').replaceChildren(...switches.map(({ name, label, value }) => {
      const box = make('input', { type: 'checkbox', checked: value, name });
      box.addEventListener('change', () => source.setSwitch(name, box.checked));
      return make('label', { className: 'check', title: name }, box, label);
    }));
  };
  source.on('switches', show);
  show();
}
