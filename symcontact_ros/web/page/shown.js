/** What is shown: a menu of check boxes, with keys. */
import { $, make } from './dom.js';

const ITEMS = [
  ['forces', 'Contact forces', 'v', true],
  ['points', 'Contact points', 'p', true],
  ['near', 'Distances', 'x', false],
  ['trails', 'Trails', 't', true],
  ['names', 'Names', 'n', true],
  ['follow', 'Follow what leaves', 'w', true],
  ['ghost', 'The run that was left', 'o', true],
  ['grid', 'Grid', 'g', true],
];

/** Build the menu, with names shown or not at first; returns what is shown, and the acts of its keys. */
export function buildShown(changed, isNamed) {
  const shown = {};
  const keys = {};
  for (const [name, label, key, isUsual] of ITEMS) {
    const isOn = name === 'names' ? isNamed : isUsual;
    shown[name] = isOn;
    const box = make('input', { type: 'checkbox', checked: isOn, id: `show-${name}` });
    const turn = () => { shown[name] = box.checked; changed(name); };
    box.addEventListener('change', turn);
    keys[key] = () => { box.checked = !box.checked; turn(); };
    $('shown').append(make('label', { className: 'check' }, box, label, make('kbd', { aria: { hidden: 'true' } }, key)));
  }
  document.addEventListener('pointerdown', (event) => {
    if (!$('show').contains(event.target)) $('show').open = false;
  });
  $('show').addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    $('show').open = false;
    $('show').querySelector('summary').focus();
  });
  return { shown, keys };
}
