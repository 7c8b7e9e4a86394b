# SPDX-License-Identifier: Apache-2.0
"""publish_zeroconf.py TYPE FIRST-PORT NAME...: announces services with python-zeroconf, like an independent publisher.

The names are sent unchanged: python-zeroconf encodes a dot in a name as the end of a label. Prints "ready" when all are
announced, withdraws the first of them when a line is read, and exits at the end of the input without a goodbye.
"""

import os
import socket
import sys

from zeroconf import ServiceInfo, Zeroconf


def main() -> None:
    service_type, first_port, names = sys.argv[1] + ".local.", int(sys.argv[2]), sys.argv[3:]
    host = socket.gethostname()
    address = next(info[4][0] for info in socket.getaddrinfo(f"10.77.0.{host[1:]}", None))
    zeroconf = Zeroconf(interfaces=[address])
    services = [
        ServiceInfo(
            service_type,
            f"{name}.{service_type}",
            port=first_port + index,
            properties={"by": "zeroconf", "empty": b"", "bytes": b"\x01\xff"},
            server=f"{host}-zeroconf.local.",
            addresses=[socket.inet_aton(address)],
        )
        for index, name in enumerate(names)
    ]
    for service in services:
        # The type is longer than RFC 6763 allows. Avahi accepts it.
        zeroconf.register_service(service, strict=False)
    print("ready", flush=True)
    if sys.stdin.readline():
        zeroconf.unregister_service(services[0])
        print("withdrawn", flush=True)
        sys.stdin.read()
    os._exit(0)


main()
