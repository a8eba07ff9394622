"""
Server of the page: HTTP for the page itself, a WebSocket for what happens.

Whoever knows the address may control the simulation, so it holds a random token, and only pages
of this very server may connect (Origin). Messages of browsers are short, and so are queues.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
import hmac
from http import HTTPStatus
import json
import logging
import secrets
import threading
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPServerRequest
from tornado.iostream import StreamClosedError
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from symcontact_ros.errors import OptionError
from symcontact_ros.view.browsers import Browser, Browsers

LOOPBACK = ('127.0.0.1', 'localhost', '::1')
LONGEST = 8192  # [byte] of a message of a browser
MOST_BROWSERS = 16
OPENING, CLOSING, SILENCE = 5.0, 1.0, 20.0  # [s wall] for a request, a farewell, a sign of life
SOCKET = '/socket'
HEADERS = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
}

Take = Callable[[Browser, dict[str, Any]], None]


class Refusal(NamedTuple):
    """Why a request is refused."""

    status: HTTPStatus
    words: str


class PageServer:
    """
    Server in a thread of its own.

    Parameters
    ----------
    page
        Returns the page.
    take, leave
        Called, in the thread of the server, with every message of a browser, and when one leaves.
    host, port
        Where to listen; port 0: any that is free.
    """

    def __init__(
        self,
        page: Callable[[], str],
        take: Take,
        leave: Callable[[Browser], None] = lambda _: None,
        host: str = LOOPBACK[0],
        port: int = 0,
    ) -> None:
        self.browsers = Browsers()
        self.connections: set[Connection] = set()
        self.token = secrets.token_urlsafe(24)
        self.host, self.port = host, port
        self.page, self.take, self.leave = page, take, leave
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready: threading.Event = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, name='page server', daemon=True)
        # Strangers who knock are not worth a line each.
        logging.getLogger('tornado.general').setLevel(logging.CRITICAL)

    @property
    def address(self) -> str:
        """Address of the page, with the token."""
        host = f'[{self.host}]' if ':' in self.host else self.host
        return f'http://{host}:{self.port}/?token={self.token}'

    def start(self) -> None:
        """Listen; OptionError where that is not possible."""
        self._thread.start()
        self._ready.wait()
        if self._failure is not None:
            where = f'{self.host} port {self.port}'
            raise OptionError(
                f'cannot serve at {where}: {self._failure.strerror or self._failure}'
            )

    def close(self) -> None:
        """Close all connections, and the server."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(timeout=3.0)

    def refusal(self, request: HTTPServerRequest, token: str) -> Refusal | None:
        """Return why a request is refused; None: it is not."""
        if not self._is_own_host(request):
            return Refusal(HTTPStatus.FORBIDDEN, 'another host was asked for')
        if request.path not in ('/', SOCKET):
            return Refusal(HTTPStatus.NOT_FOUND, 'nothing is here')
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            words = 'the address must have the token that was printed when the view started'
            return Refusal(HTTPStatus.FORBIDDEN, words)
        return None if request.path == '/' else self._socket_refusal(request)

    def _socket_refusal(self, request: HTTPServerRequest) -> Refusal | None:
        """Return why a WebSocket with the token is refused; None: it is not."""
        if request.headers.get('Origin') != f'http://{request.headers.get("Host")}':
            return Refusal(HTTPStatus.FORBIDDEN, 'only pages of this server connect')
        if len(self.browsers.all) >= MOST_BROWSERS:
            return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, 'too many browsers')
        return None

    def _is_own_host(self, request: HTTPServerRequest) -> bool:
        """Return whether a request is for this server: names that others resolve are not."""
        if self.host not in LOOPBACK:
            return True
        try:
            asked = urlsplit(f'//{request.headers.get("Host", "")}')
            return asked.hostname in LOOPBACK and asked.port == self.port
        except ValueError:
            return False

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except OSError as error:
            self._failure = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        own = {'server': self}
        application = Application(
            [(SOCKET, Connection, own), ('.*', Page, own)],
            log_function=lambda _: None,
            websocket_max_message_size=LONGEST,
            websocket_ping_interval=SILENCE,
            websocket_ping_timeout=SILENCE,
        )
        server = HTTPServer(application, idle_connection_timeout=OPENING, max_body_size=LONGEST)
        sockets = bind_sockets(self.port, self.host)
        self.port = int(sockets[0].getsockname()[1])
        server.add_sockets(sockets)
        self.browsers.loop = self._loop
        self._ready.set()
        await self._stop.wait()
        server.stop()
        for connection in self.connections:
            connection.close(1001)
        leaving = [connection.sending for connection in self.connections]
        if leaving:
            await asyncio.wait(leaving, timeout=CLOSING)
        await server.close_all_connections()


class Answering(RequestHandler):
    """Answer to a request, which may be refused."""

    def initialize(self, server: PageServer) -> None:
        """Take the server to which this belongs."""
        self.server = server

    def set_default_headers(self) -> None:
        """Tell browsers to keep nothing, and nobody which program this is."""
        self.clear_header('Server')
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse whoever must not be here."""
        refusal = self.server.refusal(self.request, self.get_query_argument('token', ''))
        if refusal is not None:
            self.set_status(refusal.status)
            self.set_header('Content-Type', 'text/plain; charset=utf-8')
            self.finish(f'{refusal.words}\n')

    def compute_etag(self) -> None:
        """Compute none: nothing is kept."""


class Page(Answering):
    """The page."""

    def get(self) -> None:
        """Send it."""
        self.set_header('Content-Type', 'text/html; charset=utf-8')
        self.finish(self.server.page())


class Connection(Answering, WebSocketHandler):
    """WebSocket of a browser, until it leaves."""

    def check_origin(self, origin: str) -> bool:
        """Let all in: ``prepare`` has refused the others."""
        return True

    def open(self, *args: str, **kwargs: str) -> None:
        """Begin to send what there is."""
        self.browser = self.server.browsers.add()
        self.server.connections.add(self)
        self.sending = asyncio.create_task(self._send())

    def on_message(self, message: str | bytes) -> None:
        """Take a message, or end a connection that sends what is none."""
        found = _message(message)
        if found is None:
            self.close(1003, 'a message that is none')
        else:
            self.server.take(self.browser, found)

    def on_close(self) -> None:
        """Forget the browser."""
        self.sending.cancel()
        self.server.connections.discard(self)
        self.server.browsers.all.discard(self.browser)
        self.server.leave(self.browser)

    async def _send(self) -> None:
        """Send what waits for the browser as fast as it takes it."""
        try:
            while True:
                for message in await self.browser.take():
                    await self.write_message(message, isinstance(message, bytes))
        except (WebSocketClosedError, StreamClosedError):
            pass


def _message(text: str | bytes) -> dict[str, Any] | None:
    """Return a message of a browser; None if it is none."""
    try:
        message = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    is_one = isinstance(message, dict) and isinstance(message.get('type'), str)
    return message if is_one else None
