/** The energy ledger as numbers: what there is, what went in and out, what it cannot explain. */
import { $, make, setText } from './dom.js';
import { told } from './numbers.js';

const ROWS = [
  ['kinetic', 'Kinetic', 'kinetic'], ['dissipated', 'Dissipated', 'dissipated'],
  ['potential', 'Potential', 'potential'], ['integration', 'Integrator', 'integration'],
  ['elastic', 'Elastic', 'elastic'], ['workIn', 'Work in', ''],
  ['balance', 'Start + work', 'line'], ['manifold', 'Manifold', ''],
  ['mechanical', 'Mechanical', ''], ['residual', 'Residual', ''],
];
const TITLES = {
  elastic: 'Stored in contacts, in springs and stops of joints',
  dissipated: 'Lost in contacts, by friction and in dampers',
  integration: 'Lost by the integrator itself, where it says so',
  workIn: 'Work of hands, efforts and servos, and of changed quantities',
  manifold: 'Put in by contact points that came or went at some depth',
  balance: 'All that the stack of the plot should add up to',
  residual: 'What the ledger cannot explain: the error of the integration',
};
const NEGLIGIBLE = 1e-12; // [J]

/** What stored and lost energies should add up to. */
export const balanceOf = ({ start, workIn, manifold }) => start + workIn + manifold;

export class LedgerTable {
  constructor() {
    this.cells = new Map();
    for (const [key, label, colour] of ROWS) {
      const mark = make('i');
      if (colour === 'line') mark.className = 'line';
      else if (colour) mark.style.background = `var(--${colour})`;
      const cell = make('dd');
      $('ledger').append(make('dt', { title: TITLES[key] ?? '' }, mark, label), cell);
      this.cells.set(key, cell);
    }
  }

  show(energies) {
    const all = { ...energies, balance: balanceOf(energies) };
    for (const [key, cell] of this.cells) {
      const text = told(all[key]);
      setText(cell, Math.abs(all[key]) < NEGLIGIBLE ? '0' : text.length > 8 ? told(all[key], 2) : text);
    }
  }
}
