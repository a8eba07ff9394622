"""A page without a browser: it connects as a browser does, and keeps what the server sends."""

import contextlib
import json
import re
import subprocess
import sys
import time
from urllib.parse import urlsplit

from helpers.processes import end, LONG
import numpy as np
from websockets.sync.client import connect

HEAD, MOTION, ENERGIES, CONTACT = 6, 13, 10, 12


class Frame:
    """An instant, from its numbers."""

    def __init__(self, data):
        numbers = np.frombuffer(data, dtype='<f8')
        form, self.steps, self.time, bodies, self.contacts, near = numbers[:HEAD]
        assert form == 1
        bodies = int(bodies)
        self.motions = numbers[HEAD : HEAD + MOTION * bodies].reshape(bodies, MOTION)
        rest = numbers[HEAD + MOTION * bodies :]
        self.energies, rest = rest[:ENERGIES], rest[ENERGIES:]
        assert len(rest) == CONTACT * self.contacts + 9 * near
        self.forces = rest[: CONTACT * int(self.contacts)].reshape(-1, CONTACT)[:, 8:11]

    def angle(self, body):
        """Return the angle of a planar body [rad]."""
        return 2.0 * np.arctan2(self.motions[body, 5], self.motions[body, 6])


class LivePage:
    """What a page would know: the latest of each message, and all instants."""

    def __init__(self, address):
        place = urlsplit(address)
        self.socket = connect(
            f'ws://{place.netloc}/socket?{place.query}',
            origin=f'http://{place.netloc}',
            compression=None,
            max_size=None,
            close_timeout=0.2,  # one that read nothing has much to read before the farewell
        )
        self.last, self.heard, self.frames = {}, [], []

    def send(self, kind, **contents):
        """Ask for something."""
        self.socket.send(json.dumps({'type': kind, **contents}))

    def until(self, condition, what, timeout=LONG):
        """Take messages until condition() holds."""
        given_up = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < given_up, f'not seen: {what}; {self.last.get("refused")}'
            with contextlib.suppress(TimeoutError):
                self._take(self.socket.recv(timeout=0.05))

    def _take(self, message):
        if isinstance(message, bytes):
            self.frames.append(Frame(message))
            return
        message = json.loads(message)
        self.last[message['type']] = message
        self.heard.append(message['type'])

    def body(self, name):
        """Return the number of a body."""
        bodies = self.last['model']['description']['bodies']
        return [body['name'] for body in bodies].index(name)

    def for_seconds(self, simulated):
        """Take messages for a simulated time; return the instants."""
        self.frames = self.frames[-1:]
        start = self.frames[0].time
        self.until(lambda: self.frames[-1].time >= start + simulated, f'{simulated} s')
        return self.frames

    def slide(self, **values):
        """Set live symbols, and wait until they have their values."""
        self.send('set', values=values)
        self.until(lambda: values.items() <= self.values.items(), f'{values}')

    @property
    def values(self):
        return self.last['values']['values']

    @property
    def run(self):
        return self.last['model']['description']['run']

    @property
    def is_playing(self):
        return self.last['state']['playing']


@contextlib.contextmanager
def symcontact(environment, *words):
    """Run the command line; yield its process, whose output is text."""
    process = subprocess.Popen(
        [sys.executable, '-m', 'symcontact_ros', *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        end(process)


def address_of(process):
    """Return the address that a process prints."""
    for line in process.stdout:
        if found := re.search(r'http://\S+', line):
            return found[0]
    raise AssertionError('it ended without an address')


@contextlib.contextmanager
def watching(address):
    """Yield a page of an address that has its first instant."""
    page = LivePage(address)
    try:
        page.until(lambda: page.frames and 'values' in page.last, 'the first instant')
        yield page
    finally:
        page.socket.close()
