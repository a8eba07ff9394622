"""The server of the page: who is let in, what is refused, and browsers that are slow."""

import contextlib
import http.client
import json
import time
from urllib.parse import urlsplit

import pytest

pytest.importorskip('tornado', reason='serves the page; `make test` brings it')
pytest.importorskip('websockets', reason='the client; `make test` brings it')

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from symcontact_ros.errors import OptionError
from symcontact_ros.view import server as serving
from symcontact_ros.view.browsers import MOST_INSTANTS
from symcontact_ros.view.server import PageServer

PAGE = '<!doctype html>the page'
LONG = 20.0  # [s wall] to wait for what must come


class Serving:
    """A server, and those who knock."""

    def __init__(self, **place):
        self.taken, self.left = [], []
        self.server = PageServer(
            lambda: PAGE, lambda _, message: self.taken.append(message), self.left.append, **place
        )
        self.server.start()
        self.host = f'127.0.0.1:{self.server.port}'
        self.origin = f'http://{self.host}'

    def get(self, path, host=None):
        """Return status, headers and text of a page."""
        connection = http.client.HTTPConnection('127.0.0.1', self.server.port, timeout=LONG)
        connection.request('GET', path, headers={'Host': host or self.host})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, text

    def socket(self, token=None, origin=..., host=None, **settings):
        """Return a socket to the server."""
        address = f'ws://{self.host}/socket?token={token or self.server.token}'
        headers = {'Host': host} if host else {}
        origin = self.origin if origin is ... else origin
        return connect(
            address, origin=origin, additional_headers=headers, compression=None, **settings
        )

    def until(self, condition, what):
        end = time.monotonic() + LONG
        while not condition():
            assert time.monotonic() < end, f'not seen: {what}'
            time.sleep(0.005)


@contextlib.contextmanager
def serving_page(**place):
    served = Serving(**place)
    try:
        yield served
    finally:
        served.server.close()


@pytest.fixture
def served():
    with serving_page() as one:
        yield one


def refused(served, **knock):
    with pytest.raises(InvalidStatus) as info, served.socket(**knock):
        pass
    return info.value.response.status_code


def test_the_address_with_its_token_is_the_page(served):
    address = urlsplit(served.server.address)
    assert address.hostname == '127.0.0.1'
    assert len(served.server.token) >= 32
    status, headers, text = served.get(f'{address.path}?{address.query}')
    assert (status, text) == (200, PAGE)
    assert headers['Content-Type'] == 'text/html; charset=utf-8'
    assert headers['Referrer-Policy'] == 'no-referrer'
    assert headers['Cache-Control'] == 'no-store'
    assert headers['Content-Security-Policy'] == "frame-ancestors 'none'"


@pytest.mark.parametrize('query', ['', '?token=', '?token=wrong', '?token=%00', '?token=é'])
def test_without_the_token_nobody_gets_the_page(query, served):
    status, _, text = served.get('/' + query.replace('é', '%C3%A9'))
    assert status == 403
    assert 'token' in text
    assert served.server.token not in text


def test_other_paths_and_other_hosts_are_refused(served):
    assert served.get(f'/page.html?token={served.server.token}')[0] == 404
    for host in ('evil.example', f'evil.example:{served.server.port}', '127.0.0.1:1', '[', ''):
        assert served.get(f'/?token={served.server.token}', host or ' ')[0] == 403


def test_sockets_need_token_and_origin(served):
    assert refused(served, token='wrong') == 403
    for origin in (None, 'null', 'http://evil.example', f'https://{served.host}'):
        assert refused(served, origin=origin) == 403, origin
    with served.socket():
        served.until(lambda: served.server.browsers.all, 'a browser')


def test_only_some_browsers_are_let_in(served, monkeypatch):
    monkeypatch.setattr(serving, 'MOST_BROWSERS', 1)
    with served.socket():
        served.until(lambda: served.server.browsers.all, 'a browser')
        assert refused(served) == 503


@pytest.mark.parametrize(
    ('message', 'code'),
    [('{"type":"set","x":"' + 'x' * 9000 + '"}', 1009), ('[' * 4000, 1003), (b'\0\1', 1003)]
    + [(text, 1003) for text in ('no', '3', '{}', '{"type":3}', '"play"')],
)
def test_messages_that_are_too_long_or_none_end_the_connection(message, code, served):
    with served.socket() as socket:
        with pytest.raises(ConnectionClosed) as info:
            socket.send(message)
            socket.recv(timeout=LONG)
        assert info.value.rcvd.code == code
    served.until(lambda: served.left, 'it left')
    assert served.taken == []


def test_all_get_what_is_told_and_newcomers_the_latest(served):
    browsers = served.server.browsers
    with served.socket() as first:
        served.until(lambda: browsers.all, 'a browser')
        browsers.tell('state', playing=True)
        assert json.loads(first.recv(timeout=LONG)) == {'type': 'state', 'playing': True}
        browsers.tell('state', playing=False)
        browsers.show(b'12345678')
        with served.socket() as second:
            for socket in (first, second):
                assert json.loads(socket.recv(timeout=LONG))['playing'] is False
                assert socket.recv(timeout=LONG) == b'12345678'
            second.send('{"type":"play"}')
            served.until(lambda: served.taken, 'a message')
        served.until(lambda: len(served.left) == 1, 'one left')
    assert served.taken == [{'type': 'play'}]


def test_a_slow_browser_misses_instants_and_holds_nobody_up(served):
    browsers = served.server.browsers
    big = 200_000  # [byte]: fills the buffers of the system soon
    with (
        served.socket(max_size=None, close_timeout=0.2) as slow,
        served.socket(max_size=None) as fast,
    ):
        served.until(lambda: len(browsers.all) == 2, 'two browsers')
        for number in range(300):
            browsers.show(number.to_bytes(4, 'little') * (big // 4))
            assert int.from_bytes(fast.recv(timeout=LONG)[:4], 'little') == number
        browsers.tell('state', playing=False)
        assert json.loads(fast.recv(timeout=LONG))['type'] == 'state'
        dropped = max(browser.dropped for browser in browsers.all)
        assert dropped > 100, 'memory is bounded'
        received = []
        while not received or isinstance(received[-1], bytes):
            received.append(slow.recv(timeout=LONG))
        numbers = [int.from_bytes(message[:4], 'little') for message in received[:-1]]
        numbers += [int.from_bytes(slow.recv(timeout=LONG)[:4], 'little') for _ in range(1)]
        assert numbers == sorted(set(numbers)), 'in their order'
        assert len(numbers) < 300 - dropped + MOST_INSTANTS


def test_a_port_that_is_taken_is_told():
    with (
        serving_page() as first,
        pytest.raises(OptionError, match=f'cannot serve at 127.0.0.1 port {first.server.port}'),
        serving_page(port=first.server.port),
    ):
        pass
