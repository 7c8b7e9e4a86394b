# SPDX-License-Identifier: Apache-2.0
"""trace_server.py: answers each request on loopback with an exception and a stack trace after it, as a .NET server does.

Prints its port. Exits at the end of its input."""

import http.server
import struct
import sys
import threading

TRACE = "  at Shop.Service.GetData()\r\n  at \x1b[31mShop.Main()"


def packed(text: str) -> bytes:
    return struct.pack("<i", len(text)) + text.encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        reply = b"RO107\0\x01" + bytes(5) + body[12:28] + packed("EShop") + packed("no rows") + packed(TRACE)
        self.send_response(500)
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
