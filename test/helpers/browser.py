"""A real browser for tests of pages: Chromium of the system, driven by Playwright."""

import contextlib
import os
import shutil
import time

import pytest

INSTALL = "apt-get install chromium; pip install 'symcontact_ros[dev]'"
CHROMIUM = shutil.which('chromium') or shutil.which('chromium-browser')
ARGUMENTS = (
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
    '--enable-unsafe-swiftshader',  # WebGL without a graphics card
)
LONGEST = 60.0  # [s] to wait for anything
# Messages on the graphics driver, and on how tests read pixels: not of the page.
NOT_OURS = (
    'willReadFrequently',
    'GPU stall due to ReadPixels',
    'Automatic fallback to software WebGL',
)


def require_browser():
    """Skip where there is no browser; fail instead where CI must have one."""
    try:
        import playwright  # noqa: F401

        missing = '' if CHROMIUM else 'chromium'
    except ImportError:
        missing = 'playwright'
    if missing:
        say = pytest.fail if os.environ.get('CI') == 'true' else pytest.skip
        say(f'{missing} is not installed: {INSTALL}')


@contextlib.contextmanager
def browser():
    """Yield a browser."""
    require_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield running
        running.close()


class Shown:
    """A page in a browser; at the end it must have asked for nothing and complained of nothing."""

    def __init__(self, page):
        self.page = page
        self.errors, self.asked = [], []
        page.on('console', self._hear)
        page.on('pageerror', lambda error: self.errors.append(str(error)))
        page.on('request', lambda request: self.asked.append(request.url))

    def _hear(self, message):
        ours = not any(text in message.text for text in NOT_OURS)
        if message.type in ('error', 'warning') and ours:
            self.errors.append(message.text)

    def open(self, path, fragment=''):
        """Open a file, and wait until it runs."""
        self.page.goto('about:blank')
        self.page.goto(path.resolve().as_uri() + fragment)
        self.until('Boolean(window.symcontact?.app.perf.frames)', 'the page runs')

    def run(self, script, argument=None):
        """Return what a script in the page returns."""
        return self.page.evaluate(script, argument)

    def until(self, script, what):
        """Wait until a script returns something true; the page's policy forbids other ways."""
        end = time.monotonic() + LONGEST
        while not (found := self.run(script)):
            assert time.monotonic() < end, f'not seen: {what}; {self.errors}'
            self.page.wait_for_timeout(10)
        return found

    def frames(self, count=2):
        """Wait until so many frames are drawn."""
        seen = self.run('symcontact.app.perf.frames')
        self.until(f'symcontact.app.perf.frames >= {seen + count}', 'frames')

    def check(self):
        """Check that the page kept to itself."""
        assert not self.errors, '\n'.join(self.errors)
        outside = [url for url in self.asked if not url.startswith(('file:', 'data:', 'about:'))]
        assert outside == []


@contextlib.contextmanager
def shown(running, path=None, fragment='', **settings):
    """Yield a page in a window of its own."""
    window = {'viewport': {'width': 1100, 'height': 760}, **settings}
    context = running.new_context(**window)
    page = Shown(context.new_page())
    if path is not None:
        page.open(path, fragment)
    yield page
    page.check()
    context.close()
