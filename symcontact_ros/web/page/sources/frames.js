/**
 * Binary frames of a live run, each an instant; docs/web.md, "Live protocol".
 *
 * Numbers of 64 bits, little-endian: a head of HEAD numbers, motions of bodies, energies,
 * contacts, proximities.
 */
import { MOTION } from '../scene.js';

export const FORMAT = 1;
const HEAD = 6; // format, steps, time, bodies, contacts, proximities
const CONTACT = 12; // a, b, point, normal, force on b, distance
const PROXIMITY = 9; // a, b, point on a, point on b, distance
const ENERGIES = [
  'kinetic', 'potential', 'elastic', 'dissipated', 'workIn', 'manifold', 'integration', 'start',
  'mechanical', 'residual',
];

/** How many numbers a frame has. */
const sizeOf = (bodies, contacts, proximities) => HEAD + MOTION * bodies + ENERGIES.length
  + CONTACT * contacts + PROXIMITY * proximities;

/** The instant of a frame; an error where it is none. */
export function readFrame(buffer) {
  if (buffer.byteLength % 8) throw new Error('a frame of broken numbers');
  const n = new Float64Array(buffer);
  const [format, steps, time, bodies, contacts, proximities] = n;
  if (format !== FORMAT) throw new Error(`a frame of format ${format}, not ${FORMAT}`);
  if (n.length !== sizeOf(bodies, contacts, proximities)) throw new Error('a frame of another size');
  let at = HEAD;
  const take = (count) => { at += count; return n.subarray(at - count, at); };
  const motions = take(MOTION * bodies);
  const booked = take(ENERGIES.length);
  const energies = Object.fromEntries(ENERGIES.map((name, i) => [name, booked[i]]));
  const rows = (count, width) => Array.from({ length: count }, () => take(width));
  const vector = (row, from) => [row[from], row[from + 1], row[from + 2]];
  return {
    time, steps, motions, energies,
    contacts: rows(contacts, CONTACT).map((row) => ({
      a: row[0], b: row[1], point: vector(row, 2), normal: vector(row, 5), force: vector(row, 8), distance: row[11],
    })),
    proximities: rows(proximities, PROXIMITY).map((row) => ({
      a: row[0], b: row[1], pointA: vector(row, 2), pointB: vector(row, 5), distance: row[8],
    })),
  };
}

/** The frame of an instant: for tests of the page. */
export function writeFrame({ time, steps, motions, energies, contacts, proximities }) {
  const bodies = motions.length / MOTION;
  return new Float64Array([
    FORMAT, steps, time, bodies, contacts.length, proximities.length, ...motions,
    ...ENERGIES.map((name) => energies[name]),
    ...contacts.flatMap((c) => [c.a, c.b, ...c.point, ...c.normal, ...c.force, c.distance]),
    ...proximities.flatMap((p) => [p.a, p.b, ...p.pointA, ...p.pointB, p.distance]),
  ]).buffer;
}
