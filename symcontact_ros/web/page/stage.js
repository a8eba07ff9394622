/** The stage: bodies and what lies over them, and hands that pull. */
import { FlatCamera } from './camera_flat.js';
import { OrbitCamera } from './camera_orbit.js';
import { cleared } from './canvas.js';
import { ContactMarks } from './contact_marks.js';
import { $, make, say } from './dom.js';
import { Framing } from './framing.js';
import { Ghost } from './ghost.js';
import { Overlay } from './overlay.js';
import { PlanarView } from './planar_view.js';
import { listen } from './pointers.js';
import { Pull } from './pull.js';
import { Scene } from './scene.js';
import { SpatialView } from './spatial_view.js';
import { bodyColours } from './theme.js';
import { Trails } from './trails.js';

export class Stage {
  constructor(source, theme, shown) {
    Object.assign(this, { source, theme, shown, isStale: true });
    const { dimension, bodies, view } = source.description;
    this.isPlanar = dimension === 2;
    this.scene = new Scene(source);
    this.framing = new Framing(this.scene, view);
    const frame = this.framing.best();
    this.camera = this.isPlanar ? new FlatCamera(frame) : new OrbitCamera(frame);
    this.isToFit = false;
    this.colours = bodyColours(bodies);
    const View = this.isPlanar ? PlanarView : SpatialView;
    this.view = new View($('bodies'), this.scene, this.camera, this.colours, theme);
    this.overlay = new Overlay(this.scene, this.camera, this.colours, theme);
    this.trails = new Trails(bodies);
    this.marks = new ContactMarks();
    this.ghost = new Ghost();
    if (!this.isPlanar) this.showChips(bodies);
    listen($('over'), this.camera, {
      pick: (pixel) => this.view.pick(pixel),
      grab: (found) => this.grab(found),
      drag: (pixel) => this.drag(pixel),
      drop: () => { source.setPull(null); this.isStale = true; },
      viewed: () => { this.isStale = true; },
      fit: () => this.fit(),
    });
    source.on('restart', () => {
      this.trails.clear();
      this.marks.clear();
      this.ghost.clear();
      this.isToFit = this.camera.isFitted;
    });
    source.on('cut', (time) => { this.trails.cut(time); this.marks.marks = []; this.ghost.cut(time); });
    source.on('jump', () => { this.marks.marks = []; });
    source.on('change', () => { this.scene.take(source.instant); this.isStale = true; });
    new ResizeObserver(() => this.resize()).observe($('stage'));
    this.resize();
  }

  /** Names and colours of bodies, where they do not stand beside them. */
  showChips(bodies) {
    bodies.forEach(({ isFixed, name }, i) => {
      if (isFixed || i > 11) return;
      const mark = make('i');
      mark.style.background = this.colours[i];
      $('chips').append(make('li', {}, mark, name.replaceAll('_', ' ')));
    });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = $('stage');
    const isSmall = width < 640;
    this.camera.resize(width, height, {
      top: isSmall ? 118 : 116, bottom: isSmall ? 128 : 130, side: isSmall ? 14 : 40,
      scale: height - (isSmall ? 114 : 126),
    });
    this.isStale = true;
  }

  grab({ body, point }) {
    const { source } = this;
    source.setPull(new Pull(source, body, point));
    source.isLooping = false;
    source.tell('state');
    if (!source.isPlaying && !source.isLive) say('Paused: press play to see it being pulled.');
  }

  drag(pixel) {
    const { pull } = this.source;
    if (!pull) return;
    pull.target = this.isPlanar ? this.camera.from(pixel) : this.camera.from(pixel, pull.point);
    pull.load(this.source.instant);
    this.isStale = true;
  }

  /** Take instants, the last one of which is to be drawn. */
  take(instants, wall) {
    const near = Math.max(0.03, 12 / this.camera.scale);
    for (const instant of instants) {
      if (!instant.isPassed) this.marks.add(instant.contacts, wall, near);
      if (instant.motions !== this.scene.instant.motions) {
        this.scene.take(instant);
        this.trails.add(this.scene, 2 / this.camera.scale);
        this.ghost.add(instant);
      }
      this.scene.instant = instant;
    }
    if (!instants.length) return;
    this.isStale = true;
    if (this.isToFit) this.fit(); // anew, as what is there now is elsewhere
    else if (this.shown.follow && !this.camera.isMoved) this.camera.follow(this.framing.now().box);
    this.isToFit = false;
  }

  /** Draw, if anything is new. */
  draw(wall) {
    if (!this.isStale && !this.marks.marks.length) return;
    this.isStale = false;
    const { camera, shown, source, scene } = this;
    const { time } = scene.instant;
    const ghost = shown.ghost ? this.ghost.at(time) : null;
    if (shown.near) scene.instant.proximities = source.proximities();
    this.view.draw({ held: source.pull?.body, grid: shown.grid, ghost });
    if (!this.isPlanar) { // bodies hide their trails
      const under = cleared($('under'), camera.width, camera.height);
      if (shown.trails) this.overlay.drawTrails(under, this.trails, time);
    }
    this.overlay.draw(cleared($('over'), camera.width, camera.height), {
      shown, trails: this.trails, contacts: this.marks.now(wall), peak: this.marks.peak,
      pull: source.pull, time, isPlanar: this.isPlanar, reaches: this.framing.reaches,
    });
  }

  /** Fit the view to the run that is known ahead, or to what is there now. */
  fit() { this.camera.show(this.framing.best()); this.isStale = true; }

  zoom(factor) { this.camera.zoom(factor); this.isStale = true; }
}
