/** Controls of time: play, step, rewind, restart, loop, speed, the line of time, keys. */
import { $, fill, say, setText } from './dom.js';

const PLAY = 'M6 4l10 6-10 6z';
const PAUSE = 'M6 4h2.6v12H6zM11.4 4H14v12h-2.6z';
const BACK = 2; // [s] of the button

export class Transport {
  /** @param {object} acts - `{key: function}` of further keys */
  constructor(source, acts) {
    this.source = source;
    const click = (id, act) => $(id).addEventListener('click', act);
    click('play', () => this.toggle());
    click('step', () => source.step(1));
    click('stepBack', () => source.step(-1));
    click('rewind', () => source.rewind(BACK));
    click('reset', () => source.reset());
    click('loop', () => this.toggleLoop());
    click('again', () => this.restart());
    click('back', () => { source.rewind(1); source.play(); });
    $('when').addEventListener('input', () => {
      if (source.isPlaying) source.pause();
      source.seek(Number($('when').value));
    });
    $('speed').addEventListener('input', () => this.setSpeed(Number($('speed').value)));
    for (const id of ['when', 'stepBack']) $(id).hidden = !source.can.seek;
    for (const id of ['loop']) $(id).hidden = !source.can.loop;
    $('share').hidden = !source.can.link;
    this.keys = {
      ' ': () => this.toggle(),
      k: () => this.toggle(),
      ArrowRight: () => source.step(1),
      ArrowLeft: () => source.can.seek && source.step(-1),
      b: () => source.rewind(BACK),
      r: () => source.reset(),
      l: () => source.can.loop && this.toggleLoop(),
      ...acts,
    };
    document.addEventListener('keydown', (event) => this.press(event));
    source.on('state', () => this.showState());
    if (source.isLive) this.showSpeed();
    else this.setSpeed(0);
    this.showState();
  }

  toggle() {
    const { source } = this;
    if (source.failure) say('The run stopped: start again, or go back.');
    else if (source.isPlaying) source.pause();
    else source.play();
  }

  toggleLoop() {
    this.source.isLooping = !this.source.isLooping;
    this.showState();
  }

  restart() { this.source.reset(); this.source.play(); }

  /** @param {number} power - of 10 */
  setSpeed(power) {
    const speed = Number((10 ** power).toPrecision(2));
    this.source.setSpeed(speed);
    this.showSpeed();
  }

  showSpeed() {
    const { speed } = this.source;
    if (speed > 0 && document.activeElement !== $('speed')) $('speed').value = Math.log10(speed);
    const text = speed > 0 ? `${Number(speed.toPrecision(2))}×` : 'max';
    setText($('speedOut'), text);
    $('speed').setAttribute('aria-valuetext', `${text} real time`);
    fill($('speed'));
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tagName, type } = event.target;
    if (tagName === 'SELECT' || (tagName === 'INPUT' && type === 'text')) return;
    if (tagName === 'INPUT' && event.key.startsWith('Arrow')) return;
    if (event.key === ' ' && /BUTTON|SUMMARY|INPUT/.test(tagName)) return;
    const act = this.keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  showState() {
    const { isPlaying, isLooping, failure } = this.source;
    this.showSpeed();
    $('playIcon').setAttribute('d', isPlaying ? PAUSE : PLAY);
    $('play').setAttribute('aria-label', isPlaying ? 'Pause' : 'Play');
    $('loop').setAttribute('aria-pressed', String(isLooping));
    $('failure').hidden = !failure;
    if (failure) setText($('why'), failure);
  }

  /** Show the time. */
  show() {
    const { time, steps, end, can } = this.source;
    setText($('clock'), `${time.toFixed(3)} s`);
    setText($('count'), `step ${steps}`);
    if (!can.seek) return;
    const when = $('when');
    when.max = end;
    when.value = time;
    when.setAttribute('aria-valuetext', `${time.toFixed(2)} seconds`);
    fill(when);
  }
}
