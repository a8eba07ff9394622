/** Small plots over time, on a canvas of their own. */
import { cleared } from './canvas.js';
import { niceStep, short } from './numbers.js';

const LEFT = 40; // [px]; equal for all plots: they have one time axis
const RIGHT = 6;
const TOP = 6;
const BOTTOM = 16;

/** Axes of a plot: pixels of times and values. */
function axesOf(pen, { width, height, begin, end, low, high, look }) {
  const x = (t) => LEFT + ((width - LEFT - RIGHT) * (t - begin)) / (end - begin);
  const y = (v) => height - BOTTOM - ((height - TOP - BOTTOM) * (v - low)) / (high - low);
  pen.font = '10.5px system-ui, sans-serif';
  pen.strokeStyle = look.line;
  pen.fillStyle = look.soft;
  pen.lineWidth = 1;
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  const step = niceStep(high - low, height > 110 ? 4 : 3);
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high; k++) {
    const level = Math.round(y(k * step)) + 0.5;
    pen.beginPath();
    pen.moveTo(LEFT, level);
    pen.lineTo(width - RIGHT, level);
    pen.stroke();
    pen.fillText(short(k * step), LEFT - 6, level);
  }
  pen.textBaseline = 'alphabetic';
  const beat = niceStep(end - begin, 5);
  for (let k = Math.ceil(begin / beat - 1e-9); k * beat <= end + 1e-9 * beat; k++) {
    const isLast = (k + 1) * beat > end + 1e-9 * beat;
    pen.textAlign = isLast && x(k * beat) > width - 24 ? 'right' : 'center';
    const at = pen.textAlign === 'right' ? Math.min(x(k * beat) + 6, width) : x(k * beat);
    pen.fillText(`${short(k * beat)}${isLast ? ' s' : ''}`, at, height - 3);
  }
  return { x, y };
}

/**
 * Draw a plot.
 * @param {HTMLCanvasElement} canvas
 * @param {History} history
 * @param {object} options
 * @param {Array} options.layers - `{value(row), colour, isLine?}`: areas are stacked from below,
 *   those with negative values downwards from 0; lines stand by themselves
 * @param {number} options.begin @param {number} options.end - of the time axis [s]
 * @param {number} options.now - time of the mark [s]
 */
export function drawPlot(canvas, history, { layers, begin, end, now, look }) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width < 80 || height < 40) return;
  const pen = cleared(canvas, width, height);
  const rows = history.thinned(width).filter((row) => row.time >= begin);
  let [low, high] = [0, 0];
  for (const row of rows) {
    let [up, down] = [0, 0];
    for (const { value, isLine } of layers) {
      const v = value(row);
      if (!Number.isFinite(v)) continue;
      if (isLine) { high = Math.max(high, v); low = Math.min(low, v); }
      else if (v > 0) up += v;
      else down += v;
    }
    high = Math.max(high, up);
    low = Math.min(low, down);
  }
  if (!(high > low)) high = low + 1;
  high += 0.06 * (high - low);
  if (low < 0) low -= 0.06 * (high - low);
  const { x, y } = axesOf(pen, { width, height, begin, end, low, high, look });
  if (rows.length > 1) for (const part of stacked(rows, layers)) drawLayer(pen, rows, part, x, y);
  const mark = Math.round(x(now)) + 0.5;
  pen.strokeStyle = look.soft;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(mark, TOP);
  pen.lineTo(mark, height - BOTTOM);
  pen.stroke();
}

/** Lower and upper edges of layers, one upon the other. */
function stacked(rows, layers) {
  const up = new Float64Array(rows.length);
  const down = new Float64Array(rows.length);
  return layers.map((layer) => {
    if (layer.isLine) return { ...layer, top: rows.map(layer.value) };
    const base = [];
    const top = [];
    rows.forEach((row, i) => {
      const v = layer.value(row) || 0;
      const sums = v >= 0 ? up : down;
      base.push(sums[i]);
      sums[i] += v;
      top.push(sums[i]);
    });
    return { ...layer, base, top };
  });
}

function drawLayer(pen, rows, { top, base, colour, isLine, isSoft, dash }, x, y) {
  pen.beginPath();
  rows.forEach((row, i) => pen[i ? 'lineTo' : 'moveTo'](x(row.time), y(top[i])));
  if (isLine || isSoft) {
    pen.strokeStyle = colour;
    pen.lineWidth = 1.5;
    pen.setLineDash(dash ?? []);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (isLine) return;
  for (let i = rows.length - 1; i >= 0; i--) pen.lineTo(x(rows[i].time), y(base[i]));
  pen.closePath();
  pen.globalAlpha = isSoft ? 0.22 : 0.9;
  pen.fillStyle = colour;
  pen.fill();
  pen.globalAlpha = 1;
}
