# SPDX-License-Identifier: Apache-2.0
"""A service on a socket of its own, whose replies a test determines."""

import contextlib
import json
import os
import pathlib
import socket
import tempfile
import threading
import unittest
from unittest import mock


class FakeService:
    """Answers each call by `answer(call)`: an iterable of replies (dict) or of bytes. None closes the connection. `Open`
    is answered by `opening` and not counted as a call."""

    def __init__(self, test: unittest.TestCase, answer, opening=None):
        self.answer = answer
        place = {"endpoint": "1", "endpointName": "Shop", "service": "DataService", "readOnly": False}
        self.opening = opening or good(**place)
        self.calls, self.connections, self.sent = [], 0, 0
        #: Set when a connection has ended.
        self.ended = threading.Event()
        directory = tempfile.TemporaryDirectory()
        test.addCleanup(directory.cleanup)
        path = pathlib.Path(directory.name) / "relativityd"
        path.mkdir()
        # Both services, so that the daemon's calls are answered too.
        own = str(path / "data.sock")
        environment = {"RELATIVITYD_SOCKET": own, "RELATIVITYD_DATA_SOCKET": own, "RELATIVITYD_LOGIN": ""}
        patch = mock.patch.dict(os.environ, environment)
        patch.start()
        test.addCleanup(patch.stop)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path / "data.sock"))
        self.listener.listen()
        test.addCleanup(self.close)
        threading.Thread(target=self.accept, daemon=True).start()

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=[connection], daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as stream, contextlib.suppress(OSError):
            self.reply(connection, stream)
        self.ended.set()

    def reply(self, connection, stream):
        while frame := self.frame(stream):
            call = json.loads(frame)
            is_opening = call["method"] == "org.relativityd.Data.Open"
            if not is_opening:
                self.calls.append(call)
            for reply in [self.opening] if is_opening else self.answer(call):
                if reply is None:
                    return
                connection.sendall(reply if isinstance(reply, bytes) else json.dumps(reply).encode() + b"\0")
                self.sent += 1

    @staticmethod
    def frame(stream):
        result = bytearray()
        while (byte := stream.read(1)) not in (b"", b"\0"):
            result += byte
        return result


def good(**parameters):
    return {"parameters": parameters}


def error(name, **parameters):
    return {"error": name, "parameters": parameters}


def batch(**parameters):
    return {"parameters": parameters, "continues": True}
