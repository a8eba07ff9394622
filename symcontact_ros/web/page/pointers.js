/** Mouse, pen and fingers: pull a body, move the view, zoom. */

const WHEEL = 0.0015; // per pixel

/**
 * Listen to a canvas.
 * @param {object} acts - `pick(pixel)`, `grab(found)`, `drag(pixel)`, `drop()`, `viewed()`, `fit()`
 */
export function listen(canvas, camera, acts) {
  const down = new Map();
  let isPulling = false;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const drop = () => {
    if (!isPulling) return;
    isPulling = false;
    canvas.classList.remove('pulling');
    acts.drop();
  };

  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, at(event));
    if (down.size > 1) { drop(); return; }
    const found = event.button === 0 && !event.shiftKey ? acts.pick(at(event)) : null;
    if (!found) return;
    isPulling = true;
    canvas.classList.add('pulling');
    acts.grab(found);
  });

  canvas.addEventListener('pointermove', (event) => {
    const place = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') canvas.classList.toggle('on-body', acts.pick(place) !== null);
      return;
    }
    if (isPulling) acts.drag(place);
    else if (down.size === 2) pinch(event.pointerId, before, place);
    else camera.move(place[0] - before[0], place[1] - before[1], event.shiftKey || event.buttons === 2);
    down.set(event.pointerId, place);
    acts.viewed();
  });

  function pinch(id, before, place) {
    const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    const old = apart([...down.values()]);
    down.set(id, place);
    const [a, b] = [...down.values()];
    camera.zoom(apart([a, b]) / Math.max(old, 1), [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]);
    camera.move((place[0] - before[0]) / 2, (place[1] - before[1]) / 2, true);
  }

  const up = (event) => { down.delete(event.pointerId); drop(); };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * WHEEL), at(event));
    acts.viewed();
  }, { passive: false });
  canvas.addEventListener('dblclick', (event) => {
    if (acts.pick(at(event))) return;
    acts.fit();
  });
}
