# SPDX-License-Identifier: Apache-2.0
"""pipe.py SOCKET: connects standard input and output with a Unix socket. The server sees a process of this host."""

import os
import select
import socket
import sys

with socket.socket(socket.AF_UNIX) as peer:
    peer.connect(sys.argv[1])
    while True:
        readable, _, _ = select.select([0, peer], [], [])
        if 0 in readable:
            data = os.read(0, 65536)
            if not data:
                break
            peer.sendall(data)
        if peer in readable:
            data = peer.recv(65536)
            if not data:
                break
            while data:
                data = data[os.write(1, data) :]
