# SPDX-License-Identifier: Apache-2.0
"""throughput.py SERVER FORWARDER SOCKET MEGABYTES ROUNDS: measures the throughput of one long reply.

Starts SERVER (Tests/Tools/hostile_server.py) and uses relctl to add it and a login to the daemon, whose vault is
unlocked. Starts FORWARDER (peers/forwarder), a C program, at SOCKET in front of the same server. Then reads a reply of
MEGABYTES through an adapter, through FORWARDER and directly from the server, alternately. Prints one JSON object per
line, with the rate in bytes per second.
"""

import json
import os
import socket
import struct
import subprocess
import sys
import time

NAME = "throughput"


def relctl(*arguments, given=""):
    return subprocess.run(["relctl", *arguments], input=given, check=True, capture_output=True, text=True).stdout


def request(megabytes):
    body = b"RO107" + bytes(7) + os.urandom(16)
    for value in (b"DataService", b"GetSchema", b"megabytes %d" % megabytes):
        body += struct.pack("<i", len(value)) + value
    head = b"POST /bin HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
    return head % len(body) + body


def connect(place):
    if isinstance(place, int):
        return socket.create_connection(("127.0.0.1", place))
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(place)
    return connection


def take(place, megabytes):
    """Return the rate in bytes per second."""
    room = memoryview(bytearray(1 << 18))
    with connect(place) as connection:
        start = time.perf_counter()
        connection.sendall(request(megabytes))
        # The head and the message's own header add less than a kilobyte.
        count, total = 0, megabytes << 20
        while count < total:
            got = connection.recv_into(room)
            if got == 0:
                raise RuntimeError(f"{count} bytes of {total} from {place}")
            count += got
        return total / (time.perf_counter() - start)


def main(server, forwarder, path, megabytes, rounds):
    with subprocess.Popen([sys.executable, server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as peer:
        port = int(peer.stdout.readline().split()[0])
        forwarding = subprocess.Popen([forwarder, path, str(port)])
        try:
            relctl("add", NAME, f"127.0.0.1:{port}")
            pin = json.loads(relctl("show", NAME, "--json"))["fingerprint"]
            options = ["--user", "u", "--password-stdin", "--allow-plaintext", "--pin", pin, "--no-test"]
            relctl("login", "add", NAME, *options, given="p\n")
            adapter = json.loads(relctl("adapter", "open", NAME, "--json"))
            places = {"adapter": adapter["socketPath"], "forwarder": path, "direct": port}
            for place in places.values():
                take(place, 8)
            for _ in range(int(rounds)):
                for name, place in places.items():
                    print(json.dumps({"name": f"stream, {name}", "rate": take(place, int(megabytes))}), flush=True)
            relctl("adapter", "close", adapter["id"])
        finally:
            forwarding.terminate()
            peer.stdin.close()


main(*sys.argv[1:])
