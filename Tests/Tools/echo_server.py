# SPDX-License-Identifier: Apache-2.0
"""echo_server.py: answers each request on loopback with an exception that repeats the parameters of the last login.

Each login selects the next form of repetition. Prints the port that it listens on, then the name of each form that it
has used. Exits at the end of its input.
"""

import asyncio
import base64
import html
import itertools
import json
import quopri
import struct
import sys
import urllib.parse

FORMS = {
    "plain": lambda text: text,
    "HTML": lambda text: html.escape(text),
    "JSON": lambda text: json.dumps(text).replace("&", "\\u0026"),
    "URL": lambda text: urllib.parse.quote(text),
    "mail": lambda text: quopri.encodestring(text.encode(), quotetabs=True).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "Base64": lambda text: base64.b64encode(text.encode()).decode(),
    "UTF-16": lambda text: text.encode("utf-16-le").decode("latin-1"),
    "no BinMessage": lambda text: text,
}


def strings(data):
    """The strings of a request after its header."""
    while len(data) >= 4:
        (length,) = struct.unpack_from("<i", data)
        yield data[4 : 4 + length]
        data = data[4 + length :]


def exception(client, text):
    def packed(data):
        return struct.pack("<i", len(data)) + data

    return b"RO107\0\x01" + bytes(5) + client + packed(b"Exception") + packed(text)


async def main():
    forms = itertools.cycle(FORMS.items())
    last = ["nothing", ("plain", FORMS["plain"])]

    async def serve(reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                body = await reader.readexactly(length)
                words = list(strings(body[28:]))
                if words[1] == b"LoginEx":
                    last[:] = [words[2].decode(), next(forms)]
                    print(last[1][0], flush=True)
                text, (name, form) = last
                echo = form(f"refused: {text}").encode("latin-1", "replace")
                reply = echo if name == "no BinMessage" else exception(body[12:28], echo)
                # A header cannot contain the line breaks of mail, or the zeros of UTF-16.
                line = bytes(byte for byte in echo.replace(b"=\n", b"") if byte >= 0x20)
                head = b"HTTP/1.1 500 %s\r\nServer: %s\r\nX-Echo: %s\r\nLocation: /%s\r\n" % ((line,) * 4)
                # In two parts, so that the reply is collected.
                writer.write(head + b"Content-Length: %d\r\n\r\n" % len(reply) + reply[:40])
                await writer.drain()
                await asyncio.sleep(0.02)  # the pause that parts the pieces
                writer.write(reply[40:])
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    sys.exit()


asyncio.run(main())
