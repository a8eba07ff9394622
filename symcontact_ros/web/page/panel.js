/** The panel: plots, ledger and figures. */
import { $, make, setText } from './dom.js';
import { History, rowOf } from './history.js';
import { balanceOf, LedgerTable } from './ledger.js';
import { lengthText, told } from './numbers.js';
import { drawPlot } from './plot.js';

const FIGURES = [['factor', 'real time'], ['ns', 'per step'], ['script', 'script per frame']];
const PARTS = ['drawEnergy', 'drawForce', 'drawDepth', 'showNumbers'];
const LIVE_WINDOW = 10; // [s] of the time axis of a run without an end

export class Panel {
  constructor(source, theme) {
    Object.assign(this, { source, theme, isStale: true, left: 0, turn: 0 });
    this.history = new History();
    this.ledger = new LedgerTable();
    this.figures = new Map(FIGURES.map(([key, label]) => {
      const cell = make('dd');
      $('figures').append(cell, make('dt', {}, label));
      return [key, cell];
    }));
    this.keys = Object.fromEntries([['normal', 'force'], ['tangential', 'tangential']].map(([key, colour]) => {
      const mark = make('i');
      mark.style.background = `var(--${colour})`;
      const text = make('span');
      $('forceKey').append(make('span', {}, mark, text));
      return [key, text];
    }));
    source.on('restart', () => this.history.clear());
    source.on('cut', (time) => this.history.cut(time));
    source.on('change', () => { this.isStale = true; });
    new ResizeObserver(() => { this.isStale = true; }).observe($('panel'));
  }

  take(instants) {
    for (const instant of instants) this.history.add(rowOf(instant));
    this.isStale ||= instants.length > 0;
  }

  /** Times of the axes: the whole run, or the last of it where it has no end. */
  span() {
    const { end, time, isLive } = this.source;
    if (!isLive && Number.isFinite(end)) return [0, end];
    return [Math.max(0, time - LIVE_WINDOW), Math.max(LIVE_WINDOW, time)];
  }

  /** Draw the next part that is not of now: one in a frame, so that no frame takes long. */
  draw() {
    if (this.isStale) {
      this.isStale = false;
      this.left = PARTS.length;
    }
    if (!this.left) return;
    this.left -= 1;
    this.turn = (this.turn + 1) % PARTS.length;
    this[PARTS[this.turn]]();
  }

  axis() {
    const [begin, end] = this.span();
    return { begin, end, now: this.source.instant.time, look: this.theme.look };
  }

  drawEnergy() {
    const { history, theme: { look } } = this;
    let lowest = Infinity;
    for (const { potential } of history.rows) lowest = Math.min(lowest, potential);
    // Heights have no zero: the stack starts where potential energy was least.
    const base = Number.isFinite(lowest) ? lowest : 0;
    drawPlot($('energy'), history, { ...this.axis(), layers: [
      { value: (row) => row.kinetic, colour: look.kinetic },
      { value: (row) => row.potential - base, colour: look.potential },
      { value: (row) => row.elastic, colour: look.elastic },
      { value: (row) => row.dissipated, colour: look.dissipated },
      { value: (row) => row.integration, colour: look.integration },
      { value: (row) => balanceOf(row) - base, colour: look.ink, isLine: true, dash: [3, 4] },
    ] });
  }

  drawForce() {
    const { theme: { look } } = this;
    drawPlot($('force'), this.history, { ...this.axis(), layers: [
      { value: (row) => row.normal, colour: look.force, isSoft: true },
      { value: (row) => row.tangential, colour: look.tangential, isLine: true },
    ] });
  }

  drawDepth() {
    const { theme: { look } } = this;
    drawPlot($('depth'), this.history, { ...this.axis(), layers: [
      { value: (row) => 1e3 * row.depth, colour: look.near, isSoft: true },
    ] });
  }

  showNumbers() {
    this.ledger.show(this.source.instant.energies);
    this.showKeys();
  }

  showKeys() {
    const last = this.history.rows.at(-1);
    if (!last) return;
    setText(this.keys.normal, `normal ${told(last.normal)}`);
    setText(this.keys.tangential, `friction ${told(last.tangential)}`);
    const nearest = Math.min(...this.source.proximities().map(({ distance }) => distance), Infinity);
    const gap = nearest > 0 && Number.isFinite(nearest) ? `nearest ${lengthText(nearest)}` : '';
    const most = this.history.deepest > 0 ? `deepest ${lengthText(this.history.deepest)}` : '';
    setText($('depthKey'), [gap, most].filter(Boolean).join(' · '));
  }

  /** Show real-time factor, time of a step, and time of the script. */
  showFigures({ script, ns }) {
    const { factor, isPlaying } = this.source;
    setText(this.figures.get('factor'), isPlaying ? `${factor < 0.1 ? factor.toFixed(3) : factor.toFixed(2)}×` : 'paused');
    setText(this.figures.get('ns'), Number.isFinite(ns) ? (ns >= 1000 ? `${(ns / 1000).toFixed(2)} µs` : `${ns.toFixed(0)} ns`) : '…');
    setText(this.figures.get('script'), `${script.toFixed(1)} ms`);
  }
}
