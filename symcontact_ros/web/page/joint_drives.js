/** Sliders of joints: efforts, and targets of servos. */
import { $, make } from './dom.js';
import { sliderRow } from './symbol_sliders.js';

/** Build the sliders; without joints the section stays hidden. */
export function buildDrives(source) {
  const { efforts = [], servos = [], joints = [], effortRanges = {}, targetRanges = {} } = source.description;
  const isTurning = (name) => joints.find((joint) => joint.name === name)?.type !== 'prismatic';
  const rows = [];
  const add = (label, unit, value, range, id, give) => {
    const made = sliderRow({ label, unit, value, range: { ...range, isLog: false }, id }, give);
    rows.push(made);
    return made.row;
  };
  const box = $('driveRows');
  box.replaceChildren();
  for (const name of servos) {
    const { min = -3.2, max = 3.2, value = 0 } = targetRanges[name] ?? {};
    box.append(add(`Target of ${name}`, isTurning(name) ? 'rad' : 'm', value, { min, max }, `target.${name}`, (v) => {
      source.setTarget(name, v);
      return '';
    }));
  }
  const plain = efforts.filter((name) => !servos.includes(name));
  for (const name of plain) {
    const most = effortRanges[name] ?? 10;
    box.append(add(`${isTurning(name) ? 'Torque' : 'Force'} at ${name}`, isTurning(name) ? 'N·m' : 'N', 0, { min: -most, max: most }, `effort.${name}`, (v) => {
      source.setEffort(name, v);
      return '';
    }));
  }
  $('drives').hidden = !rows.length || !source.can.drive;
  // The start has no commands.
  source.on('restart', () => { for (const { show } of rows) show(0); });
  if (rows.length) box.append(make('p', { className: 'why' }, 'They act until changed; a restart clears them.'));
}
