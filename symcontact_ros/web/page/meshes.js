/** Meshes of spatial shapes, in the frame of the shape: triangles with normals, and edges. */
import { cross, dot, minus, norm, unit } from './vectors.js';

const AROUND = 48; // parts of a circle
const QUARTER = 12; // parts of a quarter of one

/** Collects triangles (place and normal of each corner) and edges (two places). */
class Mesh {
  constructor() { this.triangles = []; this.edges = []; }

  corner(place, normal) { this.triangles.push(...place, ...normal); }

  flat(a, b, c) {
    const normal = unit(cross(minus(b, a), minus(c, a)));
    for (const place of [a, b, c]) this.corner(place, normal);
  }

  /** Turn a profile about z; rows are radius, height, and those of the normal. */
  rings(profile, scale = [1, 1, 1]) {
    const at = ([r, z, nr, nz], k) => {
      const t = (2 * Math.PI * k) / AROUND;
      const place = [r * Math.cos(t) * scale[0], r * Math.sin(t) * scale[1], z * scale[2]];
      return [place, unit([nr * Math.cos(t) / scale[0], nr * Math.sin(t) / scale[1], nz / scale[2]])];
    };
    for (let i = 0; i + 1 < profile.length; i++) {
      for (let k = 0; k < AROUND; k++) {
        const [a, b] = [at(profile[i], k), at(profile[i], k + 1)];
        const [c, d] = [at(profile[i + 1], k), at(profile[i + 1], k + 1)];
        for (const corner of [a, b, c, b, d, c]) this.corner(...corner);
      }
    }
  }

  /** A closed curve of edges. */
  loop(at, count = AROUND) {
    for (let k = 0; k < count; k++) {
      for (const j of [k, k + 1]) this.edges.push(...at((2 * Math.PI * j) / count));
    }
  }

  circle(r, z) { this.loop((t) => [r * Math.cos(t), r * Math.sin(t), z]); }
}

/** Profile of a part of a ball of radius r from one latitude to another, lifted. */
function arc(r, from, to, lift) {
  return Array.from({ length: QUARTER + 1 }, (_, i) => {
    const t = from + ((to - from) * i) / QUARTER;
    return [r * Math.cos(t), r * Math.sin(t) + lift, Math.cos(t), Math.sin(t)];
  });
}

const HALF = Math.PI / 2;

const MAKERS = {
  sphere(mesh, [r]) { MAKERS.ellipsoid(mesh, [r, r, r]); },

  ellipsoid(mesh, [a, b, c]) {
    mesh.rings([...arc(1, -HALF, 0, 0), ...arc(1, 0, HALF, 0)], [a, b, c]);
    mesh.loop((t) => [a * Math.cos(t), b * Math.sin(t), 0]);
    mesh.loop((t) => [a * Math.cos(t), 0, c * Math.sin(t)]);
    mesh.loop((t) => [0, b * Math.cos(t), c * Math.sin(t)]);
  },

  capsule(mesh, [r, half]) {
    mesh.rings([...arc(r, -HALF, 0, -half), ...arc(r, 0, HALF, half)]);
    mesh.circle(r, half);
    mesh.circle(r, -half);
  },

  cylinder(mesh, [r, half]) {
    mesh.rings([[0, -half, 0, -1], [r, -half, 0, -1]]);
    mesh.rings([[r, -half, 1, 0], [r, half, 1, 0]]);
    mesh.rings([[r, half, 0, 1], [0, half, 0, 1]]);
    mesh.circle(r, half);
    mesh.circle(r, -half);
  },

  box(mesh, n) {
    const corner = (i) => [0, 1, 2].map((k) => (i >> k & 1 ? n[k] : -n[k]));
    const faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    for (const [a, b, c, d] of faces) {
      mesh.flat(corner(a), corner(b), corner(c));
      mesh.flat(corner(a), corner(c), corner(d));
    }
    for (let i = 0; i < 8; i++) {
      for (const k of [1, 2, 4]) if (!(i & k)) mesh.edges.push(...corner(i), ...corner(i | k));
    }
  },

  convex_hull(mesh, n, faces) {
    const at = (i) => [n[3 * i], n[3 * i + 1], n[3 * i + 2]];
    const seen = new Map();
    for (const face of faces) {
      mesh.flat(...face.map(at));
      const normal = unit(cross(minus(at(face[1]), at(face[0])), minus(at(face[2]), at(face[0]))));
      face.forEach((a, k) => { // an edge between two triangles of one plane is none
        const b = face[(k + 1) % 3];
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        if (!seen.has(key)) seen.set(key, normal);
        else if (dot(seen.get(key), normal) < 0.9999) mesh.edges.push(...at(a), ...at(b));
      });
    }
  },
};

/** Kinds of shapes that have a mesh. */
export const MESHED = Object.keys(MAKERS);

/**
 * Make the mesh of a shape.
 * @returns {{triangles: Float32Array, edges: Float32Array}} six numbers per corner; three per end
 */
export function meshOf({ kind, numbers, faces }) {
  const mesh = new Mesh();
  MAKERS[kind]?.(mesh, numbers, faces ?? []);
  return { triangles: new Float32Array(mesh.triangles), edges: new Float32Array(mesh.edges) };
}

/** Distance along a ray to a mesh, Infinity if it misses; both in the frame of the mesh. */
export function hit(triangles, eye, way) {
  let nearest = Infinity;
  for (let k = 0; k < triangles.length; k += 18) {
    const a = triangles.subarray(k, k + 3);
    const e = minus(triangles.subarray(k + 6, k + 9), a);
    const f = minus(triangles.subarray(k + 12, k + 15), a);
    const p = cross(way, f);
    const det = dot(e, p);
    if (Math.abs(det) < 1e-14 * norm(e) * norm(f)) continue;
    const s = minus(eye, a);
    const u = dot(s, p) / det;
    const q = cross(s, e);
    const v = dot(way, q) / det;
    const d = dot(f, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && d > 0 && d < nearest) nearest = d;
  }
  return nearest;
}
