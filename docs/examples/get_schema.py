#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Open an adapter through relativityd and ask a Relativity server for its schema.

    get_schema.py ENDPOINT

ENDPOINT is an id or a name that `relctl list` shows; the daemon needs a login for it (`relctl login add`).
Needs the package "varlink" from PyPI. This program never sees a password or a session: the daemon holds both.
"""

import http.client
import os
import socket
import struct
import sys

import varlink


class UnixHTTPConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def counted(text):
    """A string of BinMessage: Int32 byte count, then the bytes. All integers are little-endian."""
    data = text.encode()
    return struct.pack("<i", len(data)) + data


def read_counted(data, position):
    (count,) = struct.unpack_from("<i", data, position)
    start = position + 4
    return data[start : start + count].decode(), start + count


def get_schema(adapter):
    # Header of 28 bytes: signature, not compressed, kind "message", reserved, user data, ClientID. The ClientID may be
    # anything: the daemon puts that of its session in its place, and gives this one back in the reply.
    header = b"RO107" + bytes([0, 0]) + bytes(5) + os.urandom(16)
    # Body: service, method, then the parameters; GetSchema has one, a filter.
    body = counted(adapter["dataService"]) + counted("GetSchema") + counted("")

    connection = UnixHTTPConnection(adapter["socketPath"])
    connection.request("POST", "/bin", header + body, {"Content-Type": "application/octet-stream"})
    response = connection.getresponse()
    data = response.read()
    if response.status != 200 or not data.startswith(b"RO107") or data[5] != 0:
        sys.exit(f"no plain BinMessage in the answer: HTTP status {response.status}")
    # A reply names service and method, then comes the result; an exception has its class and its message.
    first, position = read_counted(data, 28)
    second, position = read_counted(data, position)
    if data[6] == 1:
        sys.exit(f"the server answered with {first}: {second}")
    result, position = read_counted(data, position)
    return result


def daemon_address():
    path = os.environ.get("RELATIVITYD_SOCKET")
    return f"unix:{path or os.environ['XDG_RUNTIME_DIR'] + '/relativityd/relativityd.sock'}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with varlink.Client(daemon_address()) as client, client.open("org.relativityd.Broker") as broker:
        # Called with "more", Open holds the adapter for as long as this connection stays.
        try:
            adapter = next(broker.Open(endpoint=sys.argv[1], _more=True))["adapter"]
        except varlink.VarlinkError as error:
            sys.exit(f"{error.error()}: {error.parameters().get('message')}")
        print(get_schema(adapter))


if __name__ == "__main__":
    main()
