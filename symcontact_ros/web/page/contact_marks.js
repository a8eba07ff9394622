/** Contacts as they are shown: what is over fades, or impacts of a millisecond would not be seen. */
import { minus, norm } from './vectors.js';

const FADE = 450; // [ms]

export class ContactMarks {
  constructor() { this.clear(); }

  clear() { this.marks = []; this.peak = 0; this.looks = 0; }

  /** Take the contacts of an instant at a time of the wall [ms]; marks nearer than `near` [m] are one. */
  add(contacts, wall, near) {
    this.looks++;
    for (const contact of contacts) {
      const size = norm(contact.force);
      this.peak = Math.max(this.peak, size);
      const known = this.marks.find((mark) => mark.a === contact.a && mark.b === contact.b
        && mark.look !== this.looks && norm(minus(mark.point, contact.point)) < near);
      if (!known) this.marks.push({ ...contact, wall, size, look: this.looks });
      else if (known.wall !== wall || size > known.size) Object.assign(known, contact, { wall, size, look: this.looks });
      else known.look = this.looks;
    }
  }

  /** Marks of now, each with an age from 0 to 1. */
  now(wall) {
    for (const mark of this.marks) if (mark.look === this.looks) mark.wall = Math.max(mark.wall, wall);
    this.marks = this.marks.filter((mark) => wall - mark.wall < FADE);
    return this.marks.map((mark) => ({ ...mark, age: Math.max(0, wall - mark.wall) / FADE }));
  }
}
