# SPDX-License-Identifier: Apache-2.0
"""A stand-in for an older relativityd: older_daemon.py SOCKET. Its input is the status of the current version.

The only method that it has is GetStatus.
"""
import json
import os
import socketserver
import sys

status = json.load(sys.stdin)
status["version"] = "0.0.1"


class Caller(socketserver.BaseRequestHandler):
    def handle(self):
        frame = b""
        while piece := self.request.recv(4096):
            frame += piece
            while b"\0" in frame:
                call, frame = frame.split(b"\0", 1)
                self.request.sendall(json.dumps(answer(json.loads(call))).encode() + b"\0")


def answer(call):
    if call["method"] == "org.relativityd.Manager.GetStatus":
        return {"parameters": {"status": status}}
    return {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": call["method"]}}


if os.path.exists(sys.argv[1]):
    os.unlink(sys.argv[1])
with socketserver.ThreadingUnixStreamServer(sys.argv[1], Caller) as server:
    server.serve_forever()
