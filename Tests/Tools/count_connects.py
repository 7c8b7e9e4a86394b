# SPDX-License-Identifier: Apache-2.0
"""count_connects.py PORT...: accepts connections on every address of this host, and prints the destination of each."""

import selectors
import socket
import sys

listeners = selectors.DefaultSelector()
for port in map(int, sys.argv[1:]):
    for family, address in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((address, port))
        listener.listen(64)
        listeners.register(listener, selectors.EVENT_READ)
print("ready", flush=True)
while True:
    for key, _ in listeners.select():
        connection, _ = key.fileobj.accept()
        print("connect", *connection.getsockname()[:2], flush=True)
        connection.close()
