"""What is drawn of moving bodies: pixels of a page that are there with them and not without."""

# Of a picture with the bodies, and of one with all of them far away; shadows are not opaque.
_COUNT = """() => {
  const { stage } = symcontact.app, { scene, camera, view } = stage;
  const canvas = document.getElementById('bodies'), copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const pen = copy.getContext('2d', { willReadFrequently: true });
  const picture = () => {
    scene.placed = null;
    view.draw({ grid: false });
    pen.clearRect(0, 0, copy.width, copy.height);
    pen.drawImage(canvas, 0, 0);
    return pen.getImageData(0, 0, copy.width, copy.height).data;
  };
  const own = scene.frames, away = [1e7, 1e7, 1e7];
  const seen = picture();
  const moved = (frame, i) => scene.bodies[i].isFixed ? frame : { ...frame, position: away };
  scene.frames = own.map(moved);
  const without = picture();
  scene.frames = own;
  scene.placed = null;
  stage.isStale = true;
  const [wide, free] = [copy.width, camera.inset.scale * copy.height / camera.height];
  let count = 0;
  for (let i = 0; i < free * wide; i++) {
    if (seen[4 * i + 3] < 200) continue;
    let apart = 0;
    for (let k = 0; k < 4; k++) apart += Math.abs(seen[4 * i + k] - without[4 * i + k]);
    if (apart > 30) count++;
  }
  const inside = ({ isFixed }, i) => {
    const [x, y, depth = 1] = camera.to(scene.com(i));
    const isWithin = x > 0 && x < camera.width && y > 0 && y < camera.inset.scale;
    return isFixed || (depth > 0 && isWithin);
  };
  const outside = scene.bodies.filter((body, i) => !inside(body, i));
  return { count, outside: outside.map(({ name }) => name) };
}"""


def moving_pixels(page):
    """Return how many pixels moving bodies have in the free part, and names of those outside."""
    found = page.run(_COUNT)
    return found['count'], found['outside']
