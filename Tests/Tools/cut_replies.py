#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cut_replies.py EXTENSION SOCKET OWN: reads the table T of the endpoint `sample` with the extension of SQLite, through a
socket OWN that forwards to SOCKET, and cuts the connection after each number of bytes from 0 to 300, and after random
numbers of bytes. A statement must fail, or have all rows. More rows than a limit are an error. Prints the number of failures
of each kind, and fails if descriptors are left.
"""

import os
import random
import socket
import sqlite3
import sys
import threading
import time

RANDOM = 60


class Relay:
    """Forwards connections. Of each one, `limit` bytes of the replies at most. With `asks_more` a call for 2 rows asks for 9."""

    def __init__(self, target: str, own: str) -> None:
        self.target = target
        self.limit: int | None = None
        self.forwarded = 0
        self.asks_more = False
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(own)
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            caller, _ = self.listener.accept()
            callee = socket.socket(socket.AF_UNIX)
            callee.connect(self.target)
            limit, self.forwarded = self.limit, 0
            threading.Thread(target=self.calls, args=(caller, callee), daemon=True).start()
            threading.Thread(target=self.replies, args=(callee, caller, limit), daemon=True).start()
            # The threads alone have them.
            del caller, callee

    def calls(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data.replace(b'"limit":2', b'"limit":9') if self.asks_more else data)
        except OSError:
            pass
        shut(target)
        shut(source)

    def replies(self, source: socket.socket, target: socket.socket, left: int | None) -> None:
        try:
            while left != 0 and (data := source.recv(65536)):
                part = data if left is None else data[:left]
                target.sendall(part)
                self.forwarded += len(part)
                left = None if left is None else left - len(part)
        except OSError:
            pass
        shut(source)
        shut(target)


def shut(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))


def opened(extension: str) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.enable_load_extension(True)
    database.load_extension(extension)
    return database


def main() -> None:
    extension, target, own = sys.argv[1:]
    relay = Relay(target, own)
    os.environ["RELATIVITYD_DATA_SOCKET"] = own
    make = "create virtual table temp.t using relativity('sample', 'T')"
    before = descriptors()
    failures = {"reading": 0, "declaring": 0}

    database = opened(extension)
    database.execute(make)
    whole = database.execute("select * from t").fetchall()
    size = relay.forwarded
    assert len(whole) > 1000 and size > 100_000, (len(whole), size)
    for limit in [*range(301), *random.Random(1).sample(range(301, size), RANDOM)]:
        relay.limit = limit
        try:
            assert database.execute("select * from t").fetchall() == whole, limit
        except sqlite3.Error:
            failures["reading"] += 1
    relay.limit = None
    assert database.execute("select * from t").fetchall() == whole
    few = "select Id from t where Id > length(Name) limit 2"
    assert len(database.execute(few).fetchall()) == 2
    relay.asks_more = True
    try:
        sys.exit(f"more rows than the limit: {database.execute(few).fetchall()}")
    except sqlite3.Error as error:
        assert "rows that are not valid" in str(error), error
    relay.asks_more = False
    database.close()

    for limit in range(301):
        relay.limit = limit
        database = opened(extension)
        try:
            database.execute(make)
        except sqlite3.Error:
            failures["declaring"] += 1
        database.close()

    end = time.monotonic() + 10
    while descriptors() > before and time.monotonic() < end:
        time.sleep(0.02)
    assert descriptors() == before, f"{descriptors()} descriptors after {before}"
    print(*(f"{name} {count}" for name, count in failures.items()))


main()
