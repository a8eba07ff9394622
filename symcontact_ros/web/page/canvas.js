/** Canvases with one unit per CSS pixel, crisp on any screen. */

export const pixelRatio = () => Math.min(window.devicePixelRatio || 1, 3);

/** Clear a canvas of a given size; returns its pen. */
export function cleared(canvas, width, height) {
  const ratio = pixelRatio();
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  return pen;
}

/** Text with a halo, so that it can be read on anything. */
export function halo(pen, text, x, y, back) {
  pen.strokeStyle = back;
  pen.lineWidth = 3.5;
  pen.globalAlpha *= 0.8;
  pen.strokeText(text, x, y);
  pen.globalAlpha /= 0.8;
  pen.fillText(text, x, y);
}

/** An arrow between two pixels. */
export function arrow(pen, from, to, colour, width) {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = Math.hypot(dx, dy);
  if (!(length > 1)) return;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(5 + 2.4 * width, 0.6 * length);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(from[0], from[1]);
  pen.lineTo(to[0] - ux * head * 0.8, to[1] - uy * head * 0.8);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(to[0], to[1]);
  pen.lineTo(to[0] - ux * head - uy * head * 0.45, to[1] - uy * head + ux * head * 0.45);
  pen.lineTo(to[0] - ux * head + uy * head * 0.45, to[1] - uy * head - ux * head * 0.45);
  pen.closePath();
  pen.fill();
}

/** A filled disc with a rim. */
export function dot2(pen, [x, y], radius, fill, rim) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  if (!rim) return;
  pen.strokeStyle = rim;
  pen.lineWidth = 1.5;
  pen.stroke();
}
