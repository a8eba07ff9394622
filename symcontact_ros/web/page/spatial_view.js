/** Picture of a spatial model: a small WebGL 2 renderer with light, shadows and a grid. */
import { middleOf } from './boxes.js';
import { pixelRatio } from './canvas.js';
import { hit, meshOf } from './meshes.js';
import { niceStep } from './numbers.js';
import { hasShape } from './rods.js';
import { frameOf } from './scene.js';
import { mixed, rgb } from './theme.js';
import { cross, dot, minus, plus, scaled, turned, turnedAxes, unit, unturned } from './vectors.js';

const NEAR = 16; // [px] beside the middle of a body without shapes that still is on it
const SOLID = 0; // modes of the fragment shader
const PLAIN = 1;
const GRID = 2;

const VERTEX = `#version 300 es
layout(location=0) in vec3 place;
layout(location=1) in vec3 normal;
uniform mat4 view, model;
out vec3 n, w;
void main() {
  vec4 p = model * vec4(place, 1.0);
  w = p.xyz;
  n = mat3(model) * normal;
  gl_Position = view * p;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 n, w;
out vec4 colour;
uniform vec4 tint;
uniform vec3 eye, sky, earth, origin, ax, ay;
uniform vec2 phase;
uniform int mode;
uniform float cell, reach;
void main() {
  if (mode == 1) { colour = vec4(tint.rgb * tint.a, tint.a); return; }
  if (mode == 2) {
    vec2 p = vec2(dot(w, ax), dot(w, ay)) / cell + phase, f = fwidth(p);
    vec2 a = abs(fract(p - 0.5) - 0.5) / f, b = abs(fract(p / 5.0 - 0.5) - 0.5) / f * 5.0;
    float fine = 1.0 - min(min(a.x, a.y), 1.0), bold = 1.0 - min(min(b.x, b.y), 1.0);
    fine *= 1.0 - smoothstep(0.15, 0.5, max(f.x, f.y));
    float fade = 1.0 - smoothstep(0.25, 1.0, length(w - origin) / reach);
    float v = max(fine * 0.45, bold) * fade * tint.a;
    colour = vec4(tint.rgb * v, v);
    return;
  }
  vec3 normal = normalize(n), away = normalize(eye - w);
  if (dot(normal, away) < 0.0) normal = -normal;
  vec3 sun = normalize(vec3(0.45, -0.6, 0.9));
  float day = max(dot(normal, sun), 0.0);
  vec3 light = mix(earth, sky, 0.5 + 0.5 * normal.z) + vec3(0.62) * day;
  float shine = pow(max(dot(normal, normalize(sun + away)), 0.0), 48.0) * 0.16;
  float rim = pow(1.0 - max(dot(normal, away), 0.0), 3.0) * 0.10;
  vec3 c = pow(pow(tint.rgb, vec3(2.2)) * light, vec3(1.0 / 2.2)) + shine + rim;
  colour = vec4(c * tint.a, tint.a);
}`;

const UNIFORMS = [
  'view', 'model', 'tint', 'eye', 'sky', 'earth', 'mode', 'cell', 'reach', 'origin', 'ax', 'ay', 'phase',
];
const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** A model matrix about a point, column by column. */
const matrixOf = ({ axes: a, position: p }, [x, y, z]) => [
  a[0], a[1], a[2], 0, a[3], a[4], a[5], 0, a[6], a[7], a[8], 0, p[0] - x, p[1] - y, p[2] - z, 1,
];

export class SpatialView {
  constructor(canvas, scene, camera, colours, theme) {
    Object.assign(this, { canvas, scene, camera, colours, theme, meshes: [], seen: -1 });
    const gl = canvas.getContext('webgl2', { antialias: true, stencil: true, alpha: true });
    if (!gl) throw new Error('spatial models are drawn with WebGL 2, which this browser does not offer');
    this.gl = gl;
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => this.start());
    this.start();
  }

  start() {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(`its shaders do not compile here: ${gl.getProgramInfoLog(program)}`);
    }
    gl.useProgram(program);
    this.at = Object.fromEntries(UNIFORMS.map((name) => [name, gl.getUniformLocation(program, name)]));
    this.meshes = [];
    this.sheet = this.buffer(new Float32Array(36), 6);
  }

  buffer(numbers, stride) {
    const { gl } = this;
    const array = gl.createVertexArray();
    const buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 4 * stride, 0);
    if (stride === 6) {
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
    }
    return { array, buffer, count: numbers.length / stride };
  }

  /** The mesh of a shape; it is made anew when its numbers change. */
  mesh(i) {
    const shape = this.scene.geometry.shapes[i];
    const known = this.meshes[i];
    if (known && known.numbers.every((number, k) => number === shape.numbers[k])) return known;
    for (const { array, buffer } of known ? [known.faces, known.lines] : []) {
      this.gl.deleteVertexArray(array);
      this.gl.deleteBuffer(buffer);
    }
    const made = meshOf(shape);
    this.meshes[i] = {
      numbers: [...shape.numbers],
      triangles: made.triangles,
      faces: this.buffer(made.triangles, 6),
      lines: this.buffer(made.edges, 3),
    };
    return this.meshes[i];
  }

  /** Half-spaces about the target; a model without any has a sheet below it, for shadows. */
  planes() {
    const { camera } = this;
    const found = [];
    this.scene.geometry.shapes.forEach(({ kind }, i) => {
      if (kind === 'half_space') found.push(this.scene.halfSpace(i));
    });
    if (!found.length) found.push({ normal: [0, 0, 1], offset: camera.bottom - 0.12 * camera.size });
    return found.map(({ normal, offset }) => ({ normal, offset: offset - dot(normal, camera.target) }));
  }

  draw({ held, grid, ghost }) {
    const { gl, at, camera, scene, theme } = this;
    this.clear();
    gl.uniformMatrix4fv(at.view, false, camera.matrix());
    gl.uniform3fv(at.eye, minus(camera.eye, camera.target));
    gl.uniform3fv(at.sky, theme.dark ? [0.42, 0.45, 0.5] : [0.62, 0.64, 0.66]);
    gl.uniform3fv(at.earth, theme.dark ? [0.12, 0.12, 0.13] : [0.3, 0.29, 0.28]);
    const { shapes } = scene.geometry;
    const solids = shapes.flatMap(({ kind }, i) => (kind === 'half_space' ? [] : [i]));
    const models = new Map(solids.map((i) => [i, matrixOf(scene.shapeFrame(i), camera.target)]));
    gl.disable(gl.DEPTH_TEST);
    for (const plane of this.planes()) {
      if (grid) this.drawSheet(plane);
      this.drawShadows(plane, models);
    }
    gl.enable(gl.DEPTH_TEST);
    for (const i of solids) {
      const { body, kind } = shapes[i];
      const colour = this.colours[body] ?? (theme.dark ? '#6b747e' : '#a9b0b7');
      const isRound = kind === 'sphere' || kind === 'ellipsoid';
      this.drawSolid(i, models.get(i), body === held ? mixed(colour, '#ffffff', 0.25) : colour, isRound);
    }
    if (ghost) this.drawGhost(ghost, solids);
  }

  clear() {
    const { gl, camera, canvas } = this;
    const ratio = pixelRatio();
    const [w, h] = [Math.round(camera.width * ratio), Math.round(camera.height * ratio)];
    if (canvas.width !== w || canvas.height !== h) { canvas.width = w; canvas.height = h; }
    gl.viewport(0, 0, w, h);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  drawFaces(faces, model) {
    this.gl.uniformMatrix4fv(this.at.model, false, model);
    this.gl.bindVertexArray(faces.array);
    this.gl.drawArrays(this.gl.TRIANGLES, 0, faces.count);
  }

  drawSolid(i, model, colour, isRound) {
    const { gl, at, theme } = this;
    const mesh = this.mesh(i);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.uniform1i(at.mode, SOLID);
    gl.uniform4fv(at.tint, [...rgb(colour), 1]);
    this.drawFaces(mesh.faces, model);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.uniform1i(at.mode, PLAIN);
    const edge = mixed(colour, theme.dark ? '#ffffff' : '#000000', 0.35);
    gl.uniform4fv(at.tint, [...rgb(edge), isRound ? 0.35 : 0.75]);
    gl.bindVertexArray(mesh.lines.array);
    gl.drawArrays(gl.LINES, 0, mesh.lines.count);
  }

  /** Everything pressed onto a plane along the light, each spot darkened once. */
  drawShadows({ normal, offset }, models) {
    const { gl, at, theme } = this;
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.uniform1i(at.mode, PLAIN);
    gl.uniform4fv(at.tint, [0, 0, 0, theme.dark ? 0.34 : 0.1]);
    const sun = unit(plus(normal, [0.12, -0.16, 0.2], 0.8));
    for (const [i, model] of models) this.drawFaces(this.mesh(i).faces, pressed(model, normal, offset, sun));
    gl.disable(gl.STENCIL_TEST);
    gl.clear(gl.STENCIL_BUFFER_BIT);
  }

  drawSheet({ normal, offset }) {
    const { gl, at, camera, theme } = this;
    const some = Math.abs(normal[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const ax = unit(minus(some, scaled(normal, dot(some, normal))));
    const ay = cross(normal, ax);
    const middle = minus(middleOf(camera.box), camera.target);
    const foot = plus(middle, normal, offset - dot(normal, middle));
    const cell = niceStep(camera.size, 14);
    const phase = [ax, ay].map((axis) => (dot(axis, camera.target) / cell) % 5); // bold lines are every five
    const r = 3 * camera.size;
    const corner = (i, j) => [...plus(plus(foot, ax, i * r), ay, j * r), ...normal];
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, -1), corner(1, 1), corner(-1, 1)];
    gl.bindBuffer(gl.ARRAY_BUFFER, this.sheet.buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, new Float32Array(corners.flat()));
    gl.uniform1i(at.mode, GRID);
    gl.uniform4fv(at.tint, [...(theme.dark ? [1, 1, 1] : [0.1, 0.12, 0.14]), theme.dark ? 0.13 : 0.2]);
    gl.uniform1f(at.cell, cell);
    gl.uniform2fv(at.phase, phase);
    gl.uniform1f(at.reach, r * 0.7);
    gl.uniform3fv(at.origin, foot);
    gl.uniform3fv(at.ax, ax);
    gl.uniform3fv(at.ay, ay);
    this.drawFaces(this.sheet, IDENTITY);
  }

  drawGhost(motions, solids) {
    const { gl, at, scene, camera } = this;
    gl.depthMask(false);
    for (const i of solids) {
      const shape = scene.geometry.shapes[i];
      if (scene.bodies[shape.body].isFixed) continue;
      const frame = frameOf(motions, shape.body);
      const model = matrixOf({
        axes: turnedAxes(frame.axes, shape.axes),
        position: plus(frame.position, turned(frame.axes, shape.position)),
      }, camera.target);
      gl.uniform1i(at.mode, SOLID);
      gl.uniform4fv(at.tint, [...rgb(this.colours[shape.body]), 0.28]);
      this.drawFaces(this.mesh(i).faces, model);
    }
    gl.depthMask(true);
  }

  /** The body under a pixel and the point there, or null. */
  pick(pixel) {
    const { camera, scene } = this;
    const ray = camera.ray(pixel);
    let best = null;
    let nearest = Infinity;
    scene.geometry.shapes.forEach(({ kind, body }, i) => {
      if (kind === 'half_space') return;
      const { axes, position } = scene.shapeFrame(i);
      const eye = unturned(axes, minus(camera.eye, position));
      const d = hit(this.mesh(i).triangles, eye, unturned(axes, ray));
      if (d < nearest) {
        nearest = d;
        best = { body, point: plus(camera.eye, ray, d) };
      }
    });
    if (best) return scene.bodies[best.body].isFixed ? null : best;
    const body = scene.bodies.findIndex(({ isFixed }, i) => {
      const [x, y, depth] = camera.to(scene.com(i));
      return !isFixed && !hasShape(scene, i) && depth > 0 && Math.hypot(x - pixel[0], y - pixel[1]) < NEAR;
    });
    return body < 0 ? null : { body, point: scene.com(body) };
  }
}

/** A model matrix followed by the projection onto a plane along the light. */
function pressed(model, normal, offset, sun) {
  const down = dot(normal, sun);
  const out = [];
  for (let k = 0; k < 4; k++) {
    const v = model.slice(4 * k, 4 * k + 3);
    const height = (dot(v, normal) - (k === 3 ? offset : 0)) / down;
    out.push(...plus(v, sun, -height), model[4 * k + 3]);
  }
  return out;
}
