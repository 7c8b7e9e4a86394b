#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""interrupt_read.py EXTENSION FOLDER: reads the table Deps of the endpoint `slow` with the extension of SQLite, again and
again, and interrupts each statement. It makes FOLDER/ready, and waits for FOLDER/stopped, after which the server does not
answer. Prints the error, the median of the times from the interrupt to the end of the statement in milliseconds, and the
descriptors that are left.
"""

import os
import sqlite3
import statistics
import sys
import threading
import time

ROUNDS = 9


def main() -> None:
    extension, folder = sys.argv[1:]
    database = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    database.enable_load_extension(True)
    database.load_extension(extension)
    database.execute("create virtual table temp.d using relativity('slow', 'Deps')")
    database.execute("select count(*) from d").fetchall()
    before = os.listdir("/proc/self/fd")
    with open(folder + "/ready", "w", encoding="utf-8"):
        pass
    while not os.path.exists(folder + "/stopped"):
        time.sleep(0.02)
    errors, times, asked = set(), [], 0.0

    def interrupt() -> None:
        nonlocal asked
        asked = time.monotonic()
        database.interrupt()

    for _ in range(ROUNDS):
        threading.Timer(0.2, interrupt).start()
        try:
            database.execute("select count(*) from d").fetchall()
        except sqlite3.OperationalError as error:
            errors.add(str(error))
        times.append((time.monotonic() - asked) * 1000)
    left = len(os.listdir("/proc/self/fd")) - len(before)
    print(*errors, round(statistics.median(times)), left)


main()
