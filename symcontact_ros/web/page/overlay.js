/** What lies over the bodies, in the plane and in space: forces, trails, names, distances, springs. */
import { arrow, dot2, halo } from './canvas.js';
import { lengthText, told } from './numbers.js';
import { awayFrom, rimArrow } from './rim.js';
import { drawRods } from './rods.js';
import { minus, norm, plus } from './vectors.js';

const TRAIL_PARTS = 16;
const SHORTEST = 24; // [px] of an arrow
const LONGEST = 100;
const MOST_PLAIN = 16; // contacts; of more, all are drawn finer, and the smaller ones without numbers
const MOST_AWAY = 8; // arrows at the rim

export class Overlay {
  constructor(scene, camera, colours, theme) {
    Object.assign(this, { scene, camera, colours, theme });
  }

  /** Draw onto a pen whatever is shown; `reaches`: of moving bodies [m]. */
  draw(pen, { shown, trails, contacts, peak, pull, time, isPlanar, reaches }) {
    this.pen = pen;
    this.written = []; // boxes of texts: no other is written over them
    if (shown.trails && isPlanar) this.drawTrails(pen, trails, time);
    if (!isPlanar) drawRods(pen, this.scene, this.camera, (body) => this.theme.line(this.colours[body]));
    if (shown.near) this.drawNear();
    if (isPlanar) this.drawCentres(shown.names);
    else if (shown.names) this.drawNames();
    const bySize = [...contacts].sort((one, other) => other.size - one.size);
    this.fineness = Math.min(1, Math.sqrt(MOST_PLAIN / bySize.length)); // many must not hide the bodies
    bySize.forEach((contact, i) => this.drawContact(contact, peak, shown, i < MOST_PLAIN));
    if (pull) this.drawPull(pull);
    this.drawAway(reaches);
  }

  /** Paths of the centres of mass, fading with their age. */
  drawTrails(pen, trails, time) {
    pen.lineWidth = 2;
    pen.lineCap = 'butt'; // parts must not overlap
    trails.points.forEach((points, body) => {
      if (points.length < 2) return;
      pen.strokeStyle = this.theme.line(this.colours[body]);
      const last = points.length - 1;
      for (let part = 0; part < TRAIL_PARTS; part++) {
        const from = Math.floor((part * last) / TRAIL_PARTS);
        const to = Math.floor(((part + 1) * last) / TRAIL_PARTS);
        if (to <= from) continue;
        pen.globalAlpha = 0.05 + 0.5 * Math.max(0, 1 - (time - points[to].time) / trails.length);
        pen.beginPath();
        for (let i = from; i <= to; i++) {
          const [x, y] = this.camera.to(points[i].place);
          pen[i === from ? 'moveTo' : 'lineTo'](x, y);
        }
        pen.stroke();
      }
    });
    pen.globalAlpha = 1;
    pen.lineCap = 'round';
  }

  /** Lines between the closest points of pairs that are near. */
  drawNear() {
    const { pen, camera, theme: { look } } = this;
    pen.font = '550 11px system-ui, sans-serif';
    for (const { pointA, pointB, distance } of this.scene.instant.proximities) {
      if (!(distance > 0)) continue;
      const a = camera.to(pointA);
      const b = camera.to(pointB);
      pen.strokeStyle = look.near;
      pen.lineWidth = 1.5;
      pen.setLineDash([2, 4]);
      pen.beginPath();
      pen.moveTo(a[0], a[1]);
      pen.lineTo(b[0], b[1]);
      pen.stroke();
      pen.setLineDash([]);
      dot2(pen, a, 2.5, look.near);
      dot2(pen, b, 2.5, look.near);
      if (Math.hypot(a[0] - b[0], a[1] - b[1]) < 30) continue;
      pen.fillStyle = look.near;
      pen.textAlign = 'left';
      halo(pen, lengthText(distance), (a[0] + b[0]) / 2 + 7, (a[1] + b[1]) / 2 - 3, look.paper);
    }
  }

  /** Marks of centres of mass, which turn with their bodies, and names beside them. */
  drawCentres(withNames) {
    const { pen, scene, camera, theme } = this;
    scene.bodies.forEach((body, i) => {
      if (body.isFixed) return;
      const [x, y] = camera.to(scene.com(i));
      const { axes } = scene.frames[i];
      const turn = -Math.atan2(axes[1], axes[0]);
      const colour = theme.line(this.colours[i]);
      if (withNames) this.drawName(body.name, x, y);
      dot2(pen, [x, y], 6, theme.look.card);
      pen.fillStyle = colour;
      for (const k of [0, 2]) {
        pen.beginPath();
        pen.moveTo(x, y);
        pen.arc(x, y, 6, turn + (k * Math.PI) / 2, turn + ((k + 1) * Math.PI) / 2);
        pen.fill();
      }
      pen.beginPath();
      pen.arc(x, y, 6, 0, 2 * Math.PI);
      pen.strokeStyle = colour;
      pen.lineWidth = 1.5;
      pen.stroke();
    });
  }

  drawNames() {
    this.scene.bodies.forEach((body, i) => {
      if (body.isFixed) return;
      const [x, y, depth] = this.camera.to(this.scene.com(i));
      if (depth > 0) this.drawName(body.name, x - 8, y);
    });
  }

  drawName(name, x, y) {
    const { pen, theme: { look } } = this;
    pen.font = '550 12px system-ui, sans-serif';
    pen.textAlign = 'left';
    pen.fillStyle = look.ink;
    const text = name.replaceAll('_', ' ');
    if (this.isFree(x + 12, y + 4, pen.measureText(text).width)) halo(pen, text, x + 12, y + 4, look.paper);
  }

  /** Arrows at the rim to moving bodies that are out of view, with how far away they are. */
  drawAway(reaches) {
    const { pen, scene, camera, theme } = this;
    for (const i of awayFrom(camera, scene, reaches).slice(0, MOST_AWAY)) {
      const { from, to } = rimArrow(camera, camera.to(scene.com(i)));
      const colour = theme.line(this.colours[i]);
      arrow(pen, from, to, colour, 3.5);
      const distance = norm(minus(scene.com(i), camera.centre));
      pen.font = '600 12px system-ui, sans-serif';
      pen.fillStyle = colour;
      const text = `${scene.bodies[i].name.replaceAll('_', ' ')} ${lengthText(distance, 2)}`;
      const half = pen.measureText(text).width / 2;
      pen.textAlign = 'center';
      const x = Math.min(Math.max(from[0], half + 8), camera.width - half - 8);
      const y = from[1] + (to[1] < from[1] - 8 ? 14 : -8);
      if (this.isFree(x - half, y, 2 * half)) halo(pen, text, x, y, theme.look.paper);
    }
  }

  /** The point of a contact, and arrows on either body that can move, away from it. */
  drawContact({ point, force, age, a, b }, peak, shown, isTold) {
    const { pen, camera, scene, theme: { look } } = this;
    const size = norm(force);
    const from = camera.to(point);
    pen.globalAlpha = Math.max(0, 1 - age);
    if (shown.forces && size > 0 && peak > 0) {
      // The root of the force: small ones are still seen beside large ones.
      const long = SHORTEST + (LONGEST - SHORTEST) * Math.sqrt(Math.min(size / peak, 1));
      const length = (long * this.fineness) / camera.scale;
      let isLabelled = !isTold;
      for (const [body, sign] of [[b, 1], [a, -1]]) {
        if (scene.bodies[body].isFixed) continue;
        const tip = camera.to(plus(point, force, (sign * length) / size));
        arrow(pen, from, tip, look.force, 2.5 * this.fineness);
        if (!isLabelled) this.label(`${told(size)} N`, from, tip, look.force);
        isLabelled = true;
      }
    }
    if (shown.points) dot2(pen, from, 4 * this.fineness, look.force, look.card);
    pen.globalAlpha = 1;
  }

  /** Whether there is room for a text; then it is taken. */
  isFree(x, y, wide) {
    const box = [x, y - 10, x + wide, y + 3];
    const isTaken = this.written.some(([x0, y0, x1, y1]) => box[0] < x1 && x0 < box[2] && box[1] < y1 && y0 < box[3]);
    if (!isTaken) this.written.push(box);
    return !isTaken;
  }

  /** Text at the tip of an arrow, inside of the picture; where there is no room, none. */
  label(text, from, tip, colour) {
    const { pen, camera, theme: { look } } = this;
    const isLeft = tip[0] < from[0];
    pen.font = '600 12px system-ui, sans-serif';
    pen.textAlign = isLeft ? 'right' : 'left';
    pen.fillStyle = colour;
    const wide = pen.measureText(text).width + 6;
    const x = isLeft ? Math.max(tip[0] - 8, wide) : Math.min(tip[0] + 8, camera.width - wide);
    const y = tip[1] + (isLeft && tip[0] - 8 < wide ? -10 : 4);
    if (this.isFree(isLeft ? x - wide : x, y, wide)) halo(pen, text, x, y, look.paper);
  }

  /** The spring that pulls a body, with its force. */
  drawPull({ point, target, force }) {
    const { pen, camera, theme: { look } } = this;
    const a = camera.to(point);
    const b = camera.to(target);
    const apart = Math.hypot(b[0] - a[0], b[1] - a[1]);
    pen.strokeStyle = look.pull;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(a[0], a[1]);
    if (apart > 24) { // a coil, as springs are drawn
      const [ux, uy] = [(b[0] - a[0]) / apart, (b[1] - a[1]) / apart];
      const turns = 8;
      for (let k = 0; k <= 2 * turns; k++) {
        const s = 8 + ((apart - 16) * (k + 0.5)) / (2 * turns + 1);
        const side = k % 2 ? 5 : -5;
        pen.lineTo(a[0] + ux * s - uy * side, a[1] + uy * s + ux * side);
      }
    }
    pen.lineTo(b[0], b[1]);
    pen.stroke();
    for (const end of [a, b]) dot2(pen, end, 4, look.pull, look.card);
    const size = norm(force);
    if (size > 0) this.label(`${told(size)} N`, a, b, look.pull);
  }
}
