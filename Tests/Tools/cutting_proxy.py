#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Passes connections on to a server, and drops the replies to the first COUNT calls of METHOD, by default 1 of UpdateData.

    cutting_proxy.py PORT [COUNT [METHOD [hold]]]

Prints the port on which it listens. It closes the connection of a call whose reply it drops. With hold it keeps that open,
and prints `held` when the server has answered.
"""

import socket
import sys
import threading

cuts = threading.Semaphore(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
method = (sys.argv[3] if len(sys.argv) > 3 else "UpdateData").encode()
holds = sys.argv[4:] == ["hold"]


def close(*ends):
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def pass_back(client, server, drops):
    try:
        while data := server.recv(65536):
            if not drops.is_set():
                client.sendall(data)
            elif holds:
                print("held", flush=True)
            else:
                break
    except OSError:
        pass
    close(client, server)


def pass_on(client, port):
    server = socket.create_connection(("127.0.0.1", port))
    drops = threading.Event()
    threading.Thread(target=pass_back, args=(client, server, drops), daemon=True).start()
    end = b""
    try:
        while data := client.recv(65536):
            if not drops.is_set() and method in end + data and cuts.acquire(blocking=False):
                drops.set()
            end = data[-len(method):]
            server.sendall(data)
    except OSError:
        pass
    close(client, server)


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    threading.Thread(target=pass_on, args=(connection, int(sys.argv[1])), daemon=True).start()
