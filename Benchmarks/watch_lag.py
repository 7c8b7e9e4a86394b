# SPDX-License-Identifier: Apache-2.0
"""watch_lag.py PREFIX COUNT COMMAND...: measures how much later than avahi-browse COMMAND reports a new service.

Runs `avahi-browse -pr` and COMMAND simultaneously, writes "watching" to standard error after both had time to connect,
and waits until each has reported the services "PREFIX 001" to "PREFIX COUNT". The time of a service is that of the
first line that names it; for avahi-browse, of the first line with the resolved service. Prints one JSON object, in
nanoseconds. A negative lag means that COMMAND was first.
"""

import json
import os
import re
import selectors
import statistics
import subprocess
import sys
import time

SERVICE_TYPE = "_Relativity_DataService_rosdk._tcp"
TIME_LIMIT = 60.0


class Watcher:
    """One of the two programs, with the time of the first report of each service."""

    def __init__(self, command: list[str], pattern: str) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        self.output = self.process.stdout.fileno()
        self.pattern = re.compile(pattern.encode())
        self.rest = b""
        self.seen: dict[bytes, int] = {}

    def read(self) -> None:
        now = time.monotonic_ns()
        chunk = os.read(self.output, 1 << 16)
        if not chunk:
            sys.exit(f"{self.process.args} ended early")
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            for name in self.pattern.findall(line):
                self.seen.setdefault(name, now)


def main() -> None:
    prefix, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    # avahi-browse escapes a space as \032.
    browse = Watcher(["stdbuf", "-oL", "avahi-browse", "-pr", SERVICE_TYPE], rf"^=.*;{prefix}\\032(\d+);")
    ours = Watcher(command, rf"{prefix} (\d+)")
    selector = selectors.DefaultSelector()
    for watcher in (browse, ours):
        selector.register(watcher.output, selectors.EVENT_READ, watcher)

    started = time.monotonic()
    told = False
    while min(len(browse.seen), len(ours.seen)) < count and time.monotonic() - started < TIME_LIMIT:
        for key, _ in selector.select(timeout=0.5):
            key.data.read()
        if not told and time.monotonic() - started > 2:
            told = True
            print("watching", file=sys.stderr, flush=True)
    for watcher in (browse, ours):
        watcher.process.terminate()

    lags = sorted(ours.seen[name] - browse.seen[name] for name in ours.seen.keys() & browse.seen.keys())
    if not lags:
        sys.exit(f"nothing to compare: avahi-browse named {len(browse.seen)} services, {command[0]} {len(ours.seen)}")
    print(
        json.dumps(
            {
                "name": "lag",
                "count": len(lags),
                "lost": count - len(lags),
                "p50": statistics.median(lags),
                "max": lags[-1],
            }
        )
    )


main()
