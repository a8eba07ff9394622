/** A spring between a point of a body and the pointer. */
import { frameOf, velocityAt } from './scene.js';
import { minus, norm, plus, scaled, turned, unturned } from './vectors.js';

const STIFFNESS = 160; // per mass [1/s^2]
const DAMPING = 1.2; // 2 is critical
const STRONGEST = 1e4; // per mass [m/s^2]

export class Pull {
  /** @param {number} body @param {number[]} point - where it is held, in the world [m] */
  constructor(source, body, point) {
    const frame = frameOf(source.instant.motions, body);
    Object.assign(this, { source, body, target: point, point, force: [0, 0, 0] });
    this.local = unturned(frame.axes, minus(point, frame.position));
    this.mass = pulledMass(source, body);
  }

  /** Force at a point of the world that acts at an instant. */
  load({ motions }) {
    const { axes, position } = frameOf(motions, this.body);
    const com = plus(position, turned(axes, this.source.geometry.bodies[this.body].com));
    this.point = plus(position, turned(axes, this.local));
    const speed = velocityAt(motions, this.body, this.point, com);
    const k = STIFFNESS * this.mass;
    const damping = DAMPING * Math.sqrt(k * this.mass);
    const force = plus(scaled(minus(this.target, this.point), k), speed, -damping);
    const most = STRONGEST * this.mass;
    this.force = norm(force) > most ? scaled(force, most / norm(force)) : force;
    return { body: this.body, force: this.force, point: this.point };
  }
}

/** Mass that a hand at a body feels: its own, and where it has next to none, that of what it hangs on. */
function pulledMass({ description: { bodies }, geometry }, body) {
  const largest = Math.max(...geometry.bodies.map((one, i) => (bodies[i].isFixed ? 0 : one.mass)));
  return Math.max(geometry.bodies[body].mass, 0.02 * largest, 1e-9);
}
