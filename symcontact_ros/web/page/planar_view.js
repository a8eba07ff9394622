/** Picture of a planar model on a 2D canvas. */
import { cleared } from './canvas.js';
import { lengthText, niceStep } from './numbers.js';
import { drawRods, hasShape } from './rods.js';
import { frameOf } from './scene.js';
import { dot, minus, norm, plus, turned, turnedAxes, unturned } from './vectors.js';

const SLACK = 8; // [px] beside a body that still is on it

export class PlanarView {
  constructor(canvas, scene, camera, colours, theme) {
    Object.assign(this, { canvas, scene, camera, colours, theme });
  }

  /** Draw all but what the overlay has. */
  draw({ held, grid, ghost }) {
    this.pen = cleared(this.canvas, this.camera.width, this.camera.height);
    const { shapes } = this.scene.geometry;
    if (grid) this.drawGrid();
    shapes.forEach(({ kind }, i) => { if (kind === 'half_space') this.drawHalfSpace(i); });
    if (ghost) this.drawGhost(ghost);
    drawRods(this.pen, this.scene, this.camera, (body) => this.theme.line(this.colours[body]));
    shapes.forEach(({ kind, body }, i) => { if (kind !== 'half_space') this.drawShape(i, body === held); });
    if (grid) this.drawScale();
  }

  drawGrid() {
    const { pen, camera, theme: { look } } = this;
    const step = niceStep(120 / camera.scale, 1);
    const [x0, y1] = camera.from([0, 0]);
    const [x1, y0] = camera.from([camera.width, camera.height]);
    for (const [size, colour] of [[step / 5, look.grid], [step, look['grid-strong']]]) {
      pen.beginPath();
      for (let k = Math.ceil(x0 / size); k * size <= x1; k++) {
        const p = Math.round(camera.to([k * size, 0])[0]) + 0.5;
        pen.moveTo(p, 0);
        pen.lineTo(p, camera.height);
      }
      for (let k = Math.ceil(y0 / size); k * size <= y1; k++) {
        const p = Math.round(camera.to([0, k * size])[1]) + 0.5;
        pen.moveTo(0, p);
        pen.lineTo(camera.width, p);
      }
      pen.strokeStyle = colour;
      pen.lineWidth = 1;
      pen.stroke();
    }
  }

  drawScale() {
    const { pen, camera, theme: { look } } = this;
    const step = niceStep(120 / camera.scale, 1);
    const length = step * camera.scale;
    const x = camera.width - 24 - length;
    const y = camera.inset.scale;
    pen.strokeStyle = look.soft;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(x, y - 4);
    pen.lineTo(x, y);
    pen.lineTo(x + length, y);
    pen.lineTo(x + length, y - 4);
    pen.stroke();
    pen.font = '11px system-ui, sans-serif';
    pen.textAlign = 'center';
    pen.fillStyle = look.soft;
    pen.fillText(lengthText(step), x + length / 2, y - 7);
  }

  /** Outline of a shape in pixels. */
  path({ kind, numbers: n }, { axes, position }) {
    const { camera } = this;
    const path = new Path2D();
    const at = (x, y) => camera.to([
      position[0] + axes[0] * x + axes[3] * y, position[1] + axes[1] * x + axes[4] * y,
    ]);
    const turn = -Math.atan2(axes[1], axes[0]);
    const polygon = (points) => {
      points.forEach(([x, y], i) => path[i ? 'lineTo' : 'moveTo'](...at(x, y)));
      path.closePath();
    };
    if (kind === 'circle') {
      const [x, y] = at(0, 0);
      path.arc(x, y, n[0] * camera.scale, 0, 2 * Math.PI);
    } else if (kind === 'rectangle') {
      polygon([[n[0], n[1]], [-n[0], n[1]], [-n[0], -n[1]], [n[0], -n[1]]]);
    } else if (kind === 'polygon') {
      polygon(Array.from({ length: n.length / 2 }, (_, i) => [n[2 * i], n[2 * i + 1]]));
    } else if (kind === 'capsule') {
      path.arc(...at(n[1], 0), n[0] * camera.scale, turn - Math.PI / 2, turn + Math.PI / 2);
      path.arc(...at(-n[1], 0), n[0] * camera.scale, turn + Math.PI / 2, turn + 1.5 * Math.PI);
      path.closePath();
    } else if (kind === 'ellipse') {
      path.ellipse(...at(0, 0), n[0] * camera.scale, n[1] * camera.scale, turn, 0, 2 * Math.PI);
    }
    return path;
  }

  drawHalfSpace(shape) {
    const { camera, pen, theme: { look } } = this;
    const { normal, offset } = this.scene.halfSpace(shape);
    const along = [-normal[1], normal[0]];
    // Seen from the foot of the middle of the picture: numbers stay small wherever one looks.
    const middle = [camera.x, camera.y, 0];
    const foot = plus(middle, normal, offset - dot(normal, middle));
    const far = (3 * (camera.width + camera.height)) / camera.scale + norm(minus(middle, foot));
    const corner = (s, d) => camera.to([
      foot[0] + along[0] * s - normal[0] * d, foot[1] + along[1] * s - normal[1] * d,
    ]);
    pen.save();
    pen.beginPath();
    [corner(-far, 0), corner(far, 0), corner(far, far), corner(-far, far)]
      .forEach((p, i) => pen[i ? 'lineTo' : 'moveTo'](...p));
    pen.closePath();
    const shade = pen.createLinearGradient(...corner(0, 0), ...corner(0, 170 / camera.scale));
    shade.addColorStop(0, look.ground);
    shade.addColorStop(1, look.paper);
    pen.fillStyle = shade;
    pen.fill();
    pen.clip();
    // Hatching just below the surface, as on paper; it stays where the surface is.
    const gap = 11 / camera.scale;
    const deep = 9 / camera.scale;
    const first = -(((foot[0] * along[0] + foot[1] * along[1]) % gap) + gap) % gap;
    const reach = (camera.width + camera.height) / camera.scale;
    pen.beginPath();
    for (let s = first - Math.ceil(reach / gap) * gap; s < reach; s += gap) {
      pen.moveTo(...corner(s, 0));
      pen.lineTo(...corner(s - deep, deep));
    }
    pen.strokeStyle = look.hatch;
    pen.lineWidth = 1;
    pen.stroke();
    pen.restore();
    pen.beginPath();
    pen.moveTo(...corner(-far, 0));
    pen.lineTo(...corner(far, 0));
    pen.strokeStyle = look.soft;
    pen.lineWidth = 1.5;
    pen.stroke();
  }

  drawShape(i, isHeld) {
    const { pen, scene, theme } = this;
    const shape = scene.geometry.shapes[i];
    const colour = this.colours[shape.body] ?? theme.look.soft;
    const path = this.path(shape, scene.shapeFrame(i));
    pen.fillStyle = theme.look.card;
    pen.fill(path);
    pen.globalAlpha = (theme.dark ? 0.38 : 0.2) + (isHeld ? 0.15 : 0);
    pen.fillStyle = colour;
    pen.fill(path);
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.line(colour);
    pen.lineWidth = isHeld ? 3 : 2;
    pen.stroke(path);
  }

  drawGhost(motions) {
    const { pen, scene, theme } = this;
    pen.globalAlpha = 0.45;
    pen.setLineDash([5, 4]);
    pen.lineWidth = 1.5;
    for (const shape of scene.geometry.shapes) {
      if (shape.kind === 'half_space' || scene.bodies[shape.body].isFixed) continue;
      const frame = frameOf(motions, shape.body);
      pen.strokeStyle = theme.line(this.colours[shape.body]);
      pen.stroke(this.path(shape, {
        axes: turnedAxes(frame.axes, shape.axes),
        position: plus(frame.position, turned(frame.axes, shape.position)),
      }));
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  /** The body under a pixel and the point there, or null. */
  pick(pixel) {
    const { scene, camera } = this;
    const point = camera.from(pixel);
    const slack = SLACK / camera.scale;
    const { shapes } = scene.geometry;
    for (let i = shapes.length - 1; i >= 0; i--) {
      const { body, kind } = shapes[i];
      if (scene.bodies[body].isFixed || kind === 'half_space') continue;
      if (this.gap(i, point, pixel) < slack) return { body, point };
    }
    for (const [body, { isFixed }] of scene.bodies.entries()) {
      if (isFixed || hasShape(scene, body)) continue;
      if (norm(minus(scene.com(body), point)) < 2 * slack) return { body, point };
    }
    return null;
  }

  /** How far a point is from a shape, roughly; negative inside. */
  gap(i, point, pixel) {
    const { kind, numbers: n } = this.scene.geometry.shapes[i];
    const { axes, position } = this.scene.shapeFrame(i);
    const [x, y] = unturned(axes, minus(point, position));
    if (kind === 'circle') return Math.hypot(x, y) - n[0];
    if (kind === 'rectangle') return Math.max(Math.abs(x) - n[0], Math.abs(y) - n[1]);
    if (kind === 'capsule') return Math.hypot(x - Math.max(-n[1], Math.min(n[1], x)), y) - n[0];
    if (kind === 'ellipse') return (Math.hypot(x / n[0], y / n[1]) - 1) * Math.min(n[0], n[1]);
    const path = this.path(this.scene.geometry.shapes[i], this.scene.shapeFrame(i));
    this.pen.save();
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    const isInside = this.pen.isPointInPath(path, ...pixel);
    this.pen.restore();
    return isInside ? -1 : Infinity;
  }
}
