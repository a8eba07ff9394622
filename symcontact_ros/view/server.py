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
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import serve, Server, ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from symcontact_ros.errors import OptionError
from symcontact_ros.view.browsers import Browser, Browsers

LOOPBACK = ('127.0.0.1', 'localhost', '::1')
LONGEST = 8192  # [byte] of a message of a browser
MOST_BROWSERS = 16
SOCKET = '/socket'
HEADERS = {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
}

Take = Callable[[Browser, dict[str, Any]], None]


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
        self.token = secrets.token_urlsafe(24)
        self.host, self.port = host, port
        self._page, self._take, self._leave = page, take, leave
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready: threading.Event = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, name='page server', daemon=True)
        # Strangers who knock are not worth a line each.
        self._log = logging.getLogger('symcontact_ros.view.websockets')
        self._log.setLevel(logging.CRITICAL)

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

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except OSError as error:
            self._failure = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        async with serve(
            self._talk,
            self.host,
            self.port,
            process_request=self._answer,
            compression=None,
            max_size=LONGEST,
            max_queue=16,
            open_timeout=5.0,
            close_timeout=1.0,
            write_limit=2**16,
            logger=self._log,
            server_header=None,
        ) as server:
            self.port = _port(server)
            self.browsers.loop = self._loop
            self._ready.set()
            await self._stop.wait()

    # Requests -----------------------------------------------------------------------------------

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return the page, or a refusal; None lets a WebSocket in."""
        address = urlsplit(request.path)
        token = parse_qs(address.query).get('token', [''])[0]
        if not self._is_own_host(request):
            return _respond(connection, HTTPStatus.FORBIDDEN, 'another host was asked for')
        if address.path not in ('/', SOCKET):
            return _respond(connection, HTTPStatus.NOT_FOUND, 'nothing is here')
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            words = 'the address must have the token that was printed when the view started'
            return _respond(connection, HTTPStatus.FORBIDDEN, words)
        if address.path == '/':
            return _respond(connection, HTTPStatus.OK, self._page(), 'text/html; charset=utf-8')
        return self._refusal(connection, request)

    def _refusal(self, connection: ServerConnection, request: Request) -> Response | None:
        """Return why a WebSocket with the token is not let in; None: it is."""
        if request.headers.get('Origin') != f'http://{request.headers.get("Host")}':
            return _respond(connection, HTTPStatus.FORBIDDEN, 'only pages of this server connect')
        if len(self.browsers.all) >= MOST_BROWSERS:
            return _respond(connection, HTTPStatus.SERVICE_UNAVAILABLE, 'too many browsers')
        return None

    def _is_own_host(self, request: Request) -> bool:
        """Return whether a request is for this server: names that others resolve are not."""
        if self.host not in LOOPBACK:
            return True
        try:
            asked = urlsplit(f'//{request.headers.get("Host", "")}')
            return asked.hostname in LOOPBACK and asked.port == self.port
        except ValueError:
            return False

    async def _talk(self, connection: ServerConnection) -> None:
        """Serve a browser until it leaves."""
        browser = self.browsers.add()
        sending = asyncio.create_task(_send(connection, browser))
        try:
            async for text in connection:
                message = _message(text)
                if message is None:
                    await connection.close(1003, 'a message that is none')
                    break
                self._take(browser, message)
        except ConnectionClosed:
            pass
        finally:
            sending.cancel()
            self.browsers.all.discard(browser)
            self._leave(browser)


async def _send(connection: ServerConnection, browser: Browser) -> None:
    """Send what waits for a browser as fast as it takes it."""
    try:
        while True:
            for message in await browser.take():
                await connection.send(message)
    except ConnectionClosed:
        pass


def _message(text: str | bytes) -> dict[str, Any] | None:
    """Return a message of a browser; None if it is none."""
    try:
        message = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
    is_one = isinstance(message, dict) and isinstance(message.get('type'), str)
    return message if is_one else None


def _respond(
    connection: ServerConnection, status: HTTPStatus, text: str, kind: str = ''
) -> Response:
    response = connection.respond(status, text if kind else f'{text}\n')
    for name, value in HEADERS.items():
        response.headers[name] = value
    if kind:
        del response.headers['Content-Type']
        response.headers['Content-Type'] = kind
    return response


def _port(server: Server) -> int:
    return int(next(iter(server.sockets)).getsockname()[1])
