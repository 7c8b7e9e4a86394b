# SPDX-License-Identifier: Apache-2.0
"""A Varlink client: each message is a JSON object and a NUL."""

from __future__ import annotations

import json
import os
import select
import shlex
import shutil
import socket
import time
import weakref
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from . import _arrow
from .errors import CallError, Disconnected, ProtocolError, RequestTooLong, call_error

#: The limits of a message in bytes: that of the service for requests, and that of its other clients for replies.
REQUEST_BYTES = 256 << 10
REPLY_BYTES = 64 << 20
#: The service closes a connection after 60 seconds without a call.
_IDLE_SECONDS = 30


def daemon_socket() -> str:
    return os.environ.get("RELATIVITYD_SOCKET") or _base() + "/relativityd/relativityd.sock"


def data_socket() -> str:
    """The socket of the Data API: without a variable of its own, next to that of the daemon."""
    return os.environ.get("RELATIVITYD_DATA_SOCKET") or os.path.join(os.path.dirname(daemon_socket()), "data.sock")


def _base() -> str:
    return os.environ.get("RELATIVITYD_HOME") or os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"


def _start_command(path: str) -> str:
    """The command that starts the service of a socket."""
    name = "relativityd-data" if path == data_socket() else "relativityd"
    if path.startswith(f"{_base()}/relativityd/") and os.path.exists(f"{_base()}/systemd/private"):
        return f"systemctl --user start {name}.socket"
    # The helper is not in PATH, but at a known place from relctl.
    bin = os.path.dirname(os.path.realpath(shutil.which("relctl") or "/usr/bin/relctl"))
    helper = os.path.join(os.path.dirname(bin), "libexec/relativityd/relativityd-data")
    if not os.path.exists(helper) and os.path.exists(f"{bin}/relativityd-data"):
        helper = f"{bin}/relativityd-data"
    return f"{helper} serve --socket {shlex.quote(path)} &" if name == "relativityd-data" else "relativityd &"


def encode(value: Any) -> bytes:
    """JSON as it is sent."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


class Connection:
    """A connection to a service, for one call at a time."""

    def __init__(self, path: str) -> None:
        self._buffer = bytearray()
        self._socket = socket.socket(socket.AF_UNIX)
        _connections.add(self)
        self._last_use = 0.0
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            reason = f"cannot connect to '{path}': {error.strerror or error}"
            raise Disconnected(f"{reason}; start the service: {_start_command(path)}") from error

    def call(self, method: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters of the reply."""
        (reply,) = self._replies(method, parameters, more=False)
        return reply

    def stream(self, method: str, parameters: Mapping[str, Any]) -> Generator[dict[str, Any], None, None]:
        """The parameters of each reply. A reply is received when it is asked for, so a slow caller slows the service
        down."""
        return self._replies(method, parameters, more=True)

    def arrow(self, method: str, parameters: Mapping[str, Any]) -> Generator[memoryview, None, dict[str, Any]]:
        """The messages of the Arrow stream that a method sends after an upgrade; the result is its last reply. A message
        is received when it is asked for, so a slow caller slows the service down."""
        self._send(method, parameters, "upgrade")
        self._reply(method)
        try:
            yield from _arrow.messages(self._receive_into)
        except OSError as error:
            raise Disconnected(f"{method}: {error}") from error
        result, _ = self._reply(method)
        return result

    def is_usable(self) -> bool:
        """Whether the service has surely not closed the idle connection, and it is of this process."""
        if self._socket.fileno() < 0:
            return False
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return time.monotonic() - self._last_use < _IDLE_SECONDS and not poll.poll(0)

    def close(self) -> None:
        """Cancels the running call."""
        with suppress(OSError):
            # Wakes a thread that waits for a reply.
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _replies(
        self, method: str, parameters: Mapping[str, Any], more: bool
    ) -> Generator[dict[str, Any], None, None]:
        self._send(method, parameters, "more" if more else None)
        continues = True
        while continues:
            result, continues = self._reply(method)
            continues = continues and more
            yield result

    def _send(self, method: str, parameters: Mapping[str, Any], flag: str | None) -> None:
        frame = encode({"method": method, "parameters": parameters, **({flag: True} if flag else {})}) + b"\0"
        if len(frame) > REQUEST_BYTES:
            raise RequestTooLong(f"the request has {len(frame)} bytes: the limit is {REQUEST_BYTES}")
        try:
            self._socket.sendall(frame)
        except OSError as error:
            raise Disconnected(f"{method}: {error}") from error

    def _reply(self, method: str) -> tuple[dict[str, Any], bool]:
        """The parameters of the next reply, and whether more follow."""
        try:
            reply = json.loads(self._receive())
            result, name = reply.get("parameters"), reply.get("error")
            continues = reply.get("continues") is True
        except OSError as error:
            raise Disconnected(f"{method}: {error}") from error
        except (ValueError, AttributeError, RecursionError) as error:
            raise ProtocolError(f"{method}: the reply is no Varlink: {error}") from error
        result = {} if result is None else result
        if not isinstance(result, dict) or not isinstance(name, str | None):
            raise ProtocolError(f"{method}: the reply is no Varlink")
        self._last_use = time.monotonic()
        if name is not None:
            raise call_error(name, result)
        return result, continues

    def _receive_into(self, view: memoryview) -> None:
        """Fills a buffer with bytes of an upgraded connection."""
        start = min(len(view), len(self._buffer))
        view[:start] = self._buffer[:start]
        del self._buffer[:start]
        while start < len(view):
            piece = self._socket.recv_into(view[start:], 0, socket.MSG_WAITALL)
            if not piece:
                raise Disconnected("the connection was closed before the end of the rows")
            start += piece

    def _receive(self) -> bytes:
        searched = 0
        while (end := self._buffer.find(0, searched)) < 0:
            searched = len(self._buffer)
            if searched > REPLY_BYTES:
                raise ProtocolError(f"the reply has more than {REPLY_BYTES} bytes")
            piece = self._socket.recv(1 << 16)
            if not piece:
                raise Disconnected("the connection was closed before the reply")
            self._buffer += piece
        frame = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return frame


#: Those that may be open.
_connections: weakref.WeakSet[Connection] = weakref.WeakSet()


def _leave_connections() -> None:
    """Closes the sockets of the parent in a child, without a shutdown, so that the calls of the parent go on. Two
    processes that read from one socket would get each other's replies."""
    for connection in list(_connections):
        connection._socket.close()
        connection._buffer.clear()


os.register_at_fork(after_in_child=_leave_connections)


class Pool:
    """Connections to one service. Idle ones are used again, because each has its own adapter."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._idle: list[Connection] = []
        self._used: set[Connection] = set()
        self._is_closed = False

    @contextmanager
    def connection(self, *, ends: bool = False) -> Iterator[Connection]:
        """A connection for one call. It is closed if the call does not end by its last reply or by an error reply, or if
        the service closes it after the call."""
        connection = self._take()
        self._used.add(connection)
        try:
            yield connection
        except CallError:
            self._end(connection, ends)
            raise
        except BaseException:
            connection.close()
            raise
        else:
            self._end(connection, ends)
        finally:
            self._used.discard(connection)

    def close(self) -> None:
        """Closes all connections. Calls that still run end with Disconnected."""
        self._is_closed = True
        for connection in [*self._idle, *self._used]:
            connection.close()
        self._idle.clear()

    def _take(self) -> Connection:
        if self._is_closed:
            raise Disconnected("the server is closed")
        while self._idle:
            connection = self._idle.pop()
            if connection.is_usable():
                return connection
            connection.close()
        return Connection(self._path)

    def _end(self, connection: Connection, ends: bool) -> None:
        if self._is_closed or ends:
            connection.close()
        else:
            self._idle.append(connection)
