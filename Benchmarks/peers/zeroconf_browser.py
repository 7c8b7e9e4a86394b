# SPDX-License-Identifier: Apache-2.0
"""zeroconf_browser.py COUNT: browses for Relativity services with python-zeroconf and resolves COUNT of them.

Prints one JSON object: its resident memory in bytes when it has resolved all of them, or after a minute, and the number
of resolved services.
"""

import json
import sys
import threading

from zeroconf import ServiceBrowser, ServiceListener, Zeroconf

TYPE = "_Relativity_DataService_rosdk._tcp.local."


class Listener(ServiceListener):
    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.found: set[str] = set()
        self.done = threading.Event()

    def add_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
        if zeroconf.get_service_info(kind, name, timeout=3000) is not None:
            self.found.add(name)
        if len(self.found) >= self.wanted:
            self.done.set()

    def update_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
        self.add_service(zeroconf, kind, name)

    def remove_service(self, zeroconf: Zeroconf, kind: str, name: str) -> None:
        self.found.discard(name)


def resident() -> int:
    with open("/proc/self/smaps_rollup", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("Rss:")) * 1024


def main() -> None:
    wanted = int(sys.argv[1])
    listener = Listener(wanted)
    with Zeroconf() as zeroconf:
        ServiceBrowser(zeroconf, TYPE, listener)
        listener.done.wait(60)
        print(json.dumps({"name": "python-zeroconf", "resident": resident(), "services": len(listener.found)}))


main()
