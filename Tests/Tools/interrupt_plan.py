#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""interrupt_plan.py EXTENSION FOLDER: makes FOLDER with a Data API that answers GetSchema or nothing, and interrupts
statements with the extension of SQLite while they are prepared and wait for it. Prints for each the call that waits, the
error, and the rows of the next statement.
"""

import json
import os
import socket
import sqlite3
import sys
import threading

FIELDS = [{"name": "Id", "type": "Integer", "key": True, "required": True}]
SCHEMA = json.dumps({"parameters": {"fields": FIELDS}}).encode() + b"\0"


class Service:
    """Answers no call but GetSchema, if it is to."""

    def __init__(self, path: str) -> None:
        self.answers, self.method, self.waits = True, "", threading.Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(path)
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            threading.Thread(target=self._serve, args=[self._listener.accept()[0]], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        data = b""
        while more := connection.recv(65_536):
            *calls, data = (data + more).split(b"\0")
            for call in calls:
                method = json.loads(call)["method"].rsplit(".", 1)[-1]
                if method == "GetSchema" and self.answers:
                    connection.sendall(SCHEMA)
                else:
                    self.method = method
                    self.waits.set()


def main() -> None:
    extension, folder = sys.argv[1:]
    os.mkdir(folder)
    os.environ["RELATIVITYD_DATA_SOCKET"] = folder + "/data.sock"
    service = Service(folder + "/data.sock")

    def opened() -> sqlite3.Connection:
        database = sqlite3.connect(folder + "/shop.db", check_same_thread=False, isolation_level=None)
        database.enable_load_extension(True)
        database.load_extension(extension)
        return database

    opened().execute("create virtual table t using relativity('shop', 'T')")
    for answers, statement in [
        (False, "select * from t"),
        (True, "select * from t a join t b on a.Id = b.Id + 0 join t c on a.Id = c.Id"),
    ]:
        service.answers = answers
        service.waits.clear()
        database = opened()

        def interrupt(database: sqlite3.Connection = database) -> None:
            service.waits.wait()
            database.interrupt()

        threading.Thread(target=interrupt).start()
        try:
            print(service.method, database.execute(statement).fetchall())
        except sqlite3.OperationalError as error:
            print(service.method, error, end=" ")
        print(database.execute("select 5").fetchall(), flush=True)


main()
