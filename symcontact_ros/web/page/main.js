/** The page: opens its source, builds what is shown, and goes from frame to frame. */
import { $, make, say, setText } from './dom.js';
import { Equations } from './equations.js';
import { safeMath } from './safe_math.js';
import { buildDrives } from './joint_drives.js';
import { fragmentOf, readFragment } from './link.js';
import { told } from './numbers.js';
import { Panel } from './panel.js';
import { buildShown } from './shown.js';
import { LiveSource } from './sources/live.js';
import { LocalSource } from './sources/local.js';
import { Stage } from './stage.js';
import { buildSwitches } from './switches.js';
import { SymbolSliders } from './symbol_sliders.js';
import { Theme } from './theme.js';
import { Transport } from './transport.js';
import { stepTime, verify } from './verify.js';

const CLOCK_EVERY = 32; // [ms]
const MOST_NAMED = 10; // bodies
const NUMBERS_EVERY = 250; // [ms]: slow enough to be read

/** Open what the page is of: the model that it carries, or the server that it came from. */
async function openSource(page) {
  if (page.live) return LiveSource.open(page);
  return LocalSource.open(page, (variant) => $(`engine-${variant}`).textContent);
}

/** Whether names stand beside the bodies: in the plane, where they are few. */
function isNamed({ dimension, bodies }) {
  return dimension === 2 && bodies.filter(({ isFixed }) => !isFixed).length <= MOST_NAMED;
}

class App {
  constructor(page, source) {
    Object.assign(this, { page, source });
    this.perf = { script: 0, ns: NaN, frames: 0 };
    this.checks = 0;
    this.theme = new Theme(() => this.redraw());
    const { shown, keys } = buildShown((name) => this.show(name), isNamed(source.description));
    this.stage = new Stage(source, this.theme, shown);
    this.panel = new Panel(source, this.theme);
    this.sliders = new SymbolSliders(source, (why) => say(why, 7000));
    this.equations = new Equations($('formulas'), source);
    this.transport = new Transport(source, {
      f: () => this.stage.fit(),
      d: () => this.theme.toggle(),
      c: () => source.can.link && this.share(),
      '+': () => this.stage.zoom(1.2),
      '=': () => this.stage.zoom(1.2),
      '-': () => this.stage.zoom(1 / 1.2),
      ...keys,
    });
    buildDrives(source);
    buildSwitches(source);
    this.buildMethod();
    this.connect();
    this.describe();
    this.drawn = { clock: 0, numbers: 0 };
  }

  describe() {
    const { name, text, moduleSize, version } = this.source.description;
    if (this.source.isLive) { // the page may be older than the simulation
      document.title = name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');
      setText(document.querySelector('h1'), document.title);
    }
    setText($('text'), text ?? '');
    $('equationSection').hidden = !$('formulas').childElementCount;
    $('contactSection').hidden = !this.source.description.pairs?.length;
    const size = moduleSize ? `, compiled to ${Math.round(moduleSize / 1000)} kB of WebAssembly` : '';
    const where = this.source.isLive ? 'Shown live from a simulation.' : 'Everything runs here: no server, no network.';
    setText($('origin'), `Symbolic equations${size} by symcontact_ros ${version}. ${where}`);
  }

  connect() {
    $('fit').addEventListener('click', () => this.stage.fit());
    $('theme').addEventListener('click', () => this.theme.toggle());
    $('share').addEventListener('click', () => this.share());
    $('defaults').addEventListener('click', () => { this.sliders.restore(); this.transport.restart(); });
    $('numbersOn').addEventListener('change', () => this.equations.turn($('numbersOn').checked));
    $('numbersOn').closest('label').hidden = !this.equations.hasNumbers;
    this.source.on('equations', () => this.takeEquations());
    if (this.source.equations) this.takeEquations();
    this.source.on('say', (text) => say(text));
    this.source.on('fail', () => setText($('spoken'), 'The run stopped.'));
    window.addEventListener('hashchange', () => this.openLink());
  }

  /** Show the equations of a live run, once they are derived there. */
  takeEquations() {
    $('formulas').replaceChildren(...safeMath(this.source.equations));
    this.equations = new Equations($('formulas'), this.source);
    this.equations.turn($('numbersOn').checked);
    $('numbersOn').closest('label').hidden = !this.equations.hasNumbers;
    $('equationSection').hidden = !$('formulas').childElementCount;
  }

  /** Show something or no more. */
  show(name) {
    if (name === 'follow') this.stage.camera.isMoved = false; // even if a hand has moved the view away
    this.redraw();
  }

  redraw() {
    if (this.stage) this.stage.isStale = true;
    if (this.panel) this.panel.isStale = true;
  }

  /** Detectors and integrators, where the page has several. */
  buildMethod() {
    const { variants = [] } = this.source;
    if (variants.length < 2) return;
    $('method').hidden = false;
    for (const kind of ['detector', 'integrator']) {
      for (const name of new Set(variants.map((one) => one[kind]))) {
        $(kind).append(make('option', { value: name }, name));
      }
      $(kind).addEventListener('change', () => this.choose(kind));
    }
    this.showMethod();
  }

  showMethod() {
    const { detector, integrator } = this.source.variants[this.source.variant];
    $('detector').value = detector;
    $('integrator').value = integrator;
  }

  async choose(kind) {
    const { variants } = this.source;
    const wanted = { detector: $('detector').value, integrator: $('integrator').value };
    const fits = (one) => one.detector === wanted.detector && one.integrator === wanted.integrator;
    const found = variants.findIndex(fits);
    await this.source.choose(found >= 0 ? found : variants.findIndex((one) => one[kind] === wanted[kind]));
    this.showMethod();
    this.source.tell('restart');
    await this.check();
  }

  // Proof and links ----------------------------------------------------------------------------

  /** Compare with the native run, in the background. */
  async check() {
    const { source } = this;
    const check = source.variants?.[source.variant]?.check;
    if (!source.can.hash || !check) return;
    const badge = $('badge');
    badge.hidden = false;
    badge.className = 'badge';
    setText(badge, 'Comparing with the native run …');
    const number = this.checks += 1;
    const engine = await source.newEngine();
    let result;
    try {
      result = await verify(engine, check);
    } catch { result = { isEqual: false, steps: check.steps }; }
    if (number !== this.checks) return; // another way was chosen since
    this.verified = result;
    badge.classList.add(result.isEqual ? 'good' : 'bad');
    setText(badge, result.isEqual ? 'Equal to the native run, bit for bit' : 'Not equal to the native run');
    badge.title = `${result.steps} steps were made here when this page was opened: the hash of the state is `
      + `${result.isEqual ? '' : 'not '}that of the native simulation, ${check.hash.slice(0, 16)}…`;
    this.perf.ns = await stepTime(engine);
  }

  async share() {
    history.replaceState(null, '', fragmentOf(this.source.linkParts()));
    try {
      await navigator.clipboard.writeText(location.href);
      say('Link to this very state copied.');
    } catch { say('The address of this page now holds this very state.'); }
  }

  /** Take what the address holds; a bad one changes nothing. */
  async openLink() {
    if (!this.source.can.link || location.hash.length < 2) return false;
    const found = readFragment(location.hash, this.source.description.name);
    const why = found ? await this.source.takeLink(found) : 'This link is not of this model.';
    if (why) say(why, 7000);
    else {
      this.source.pause();
      this.sliders.show();
    }
    return !why;
  }

  // Frames -------------------------------------------------------------------------------------

  frame(wall) {
    const began = performance.now();
    const instants = this.source.update(wall);
    this.stage.take(instants, wall);
    this.panel.take(instants);
    this.stage.draw(wall);
    this.panel.draw();
    if (wall - this.drawn.clock > CLOCK_EVERY) {
      this.transport.show();
      this.drawn.clock = wall;
    }
    if (wall - this.drawn.numbers > NUMBERS_EVERY) {
      this.panel.showFigures({ ...this.perf, ns: this.source.ns ?? this.perf.ns });
      if ($('equations').open) this.equations.show();
      this.drawn.numbers = wall;
    }
    this.perf.script += 0.05 * (performance.now() - began - this.perf.script);
    this.perf.frames += 1;
    requestAnimationFrame((next) => this.frame(next));
  }

  async start() {
    const isLinked = await this.openLink();
    if (!isLinked && !this.source.isLive && !matchMedia('(prefers-reduced-motion: reduce)').matches) this.source.play();
    requestAnimationFrame((wall) => this.frame(wall));
    say(`Pull a body; drag the background to ${this.stage.isPlanar ? 'move' : 'turn'} the view.`);
    await this.check();
  }
}

async function begin() {
  const page = JSON.parse($('data').textContent);
  const source = await openSource(page);
  const app = new App(page, source);
  window.symcontact = { app, source, told };
  await app.start();
}

begin().catch((error) => {
  $('hint').textContent = `This page cannot run here: ${error.message}`;
  $('hint').classList.add('on');
  console.error(error);
});
