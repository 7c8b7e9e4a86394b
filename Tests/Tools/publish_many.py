# SPDX-License-Identifier: Apache-2.0
"""publish_many.py TYPE PREFIX COUNT: announces the services "PREFIX 1" to "PREFIX COUNT" through avahi-daemon.

avahi-daemon takes 32 services in one entry group, and 1,024 groups of one client. Prints "ready" when all are
established. Exits at the end of its input, which withdraws all of them.
"""

import sys
import time

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection

GROUP_SIZE = 32
ESTABLISHED = 2
UNSPECIFIED = -1


def main() -> None:
    service_type, prefix, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    bus = open_dbus_connection("SYSTEM")

    def call(path: str, interface: str, method: str, signature: str | None = None, body: tuple = ()):
        address = DBusAddress(path, "org.freedesktop.Avahi", f"org.freedesktop.Avahi.{interface}")
        return bus.send_and_get_reply(new_method_call(address, method, signature, body)).body

    groups = []
    for first in range(1, count + 1, GROUP_SIZE):
        (group,) = call("/", "Server", "EntryGroupNew")
        groups.append(group)
        for number in range(first, min(first + GROUP_SIZE, count + 1)):
            service = (UNSPECIFIED, UNSPECIFIED, 0, f"{prefix} {number}", service_type, "", "", 10000 + number, [b"k=v"])
            call(group, "EntryGroup", "AddService", "iiussssqaay", service)
        call(group, "EntryGroup", "Commit")
    while any(call(group, "EntryGroup", "GetState") != (ESTABLISHED,) for group in groups):
        time.sleep(0.1)
    print("ready", flush=True)
    sys.stdin.read()


main()
