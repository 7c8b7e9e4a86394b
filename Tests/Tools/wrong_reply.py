#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""wrong_reply.py PORT: forwards calls to a server on this machine, and prints its own port.

A line `METHOD CHANGE` on standard input says how the replies to a method are changed from then on. It is answered by `ready`.

    right          not at all
    table A B      the rows are those of table B if A is asked for
    html           200 with a page
    status N       status N with a page
    redirect       a redirect
    cut N          the connection is closed after N bytes of the body, which is announced whole
    close          the connection is closed before the reply
    slow N         the head, then one byte every N milliseconds
    trace          an exception with a stack trace after it, as of a .NET server
"""

import asyncio
import struct
import sys

method, change = b"GetData", ["right"]
PAGE = b"<html>" + b"x" * 200 + b"</html>"
TRACE = "  at Shop.Service.GetData()\r\n  at \x1b[31mShop.Main()"


def counted(name):
    return struct.pack("<i", len(name)) + name.encode()


async def message(reader):
    """The head, as lines, and the body of a request or reply."""
    head = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[:-2]
    count = next(int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length:"))
    return head, await reader.readexactly(count)


def joined(head, body):
    lines = [line for line in head if not line.lower().startswith(b"content-length:")]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body), b"", body])


def page(status, *lines):
    return joined([b"HTTP/1.1 %d X" % status, *lines], PAGE)


async def answer(kind, head, body, writer):
    """Sends the reply of the server, changed. Returns whether the connection stays open."""
    reply = joined(head, body)
    start = len(reply) - len(body)
    if kind[0] == "html":
        reply = page(200)
    elif kind[0] == "status":
        reply = page(int(kind[1]))
    elif kind[0] == "redirect":
        reply = page(302, b"Location: /login")
    elif kind[0] == "trace":
        exception = b"".join(map(counted, ("EShop", "no rows", TRACE)))
        reply = joined([b"HTTP/1.1 500 X"], b"RO107\0\x01" + bytes(5) + body[12:28] + exception)
    elif kind[0] == "close":
        return False
    elif kind[0] == "cut":
        reply = reply[: start + int(kind[1])]
    elif kind[0] == "slow":
        writer.write(reply[:start])
        for byte in body:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(int(kind[1]) / 1000)
        return True
    writer.write(reply)
    await writer.drain()
    return kind[0] != "cut"


async def serve(reader, writer):
    ahead, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
    try:
        stays = True
        while stays:
            head, body = await message(reader)
            kind = change if method in body else ["right"]
            if kind[0] == "table":
                body = body.replace(counted(kind[1]), counted(kind[2]))
            back.write(joined(head, body))
            await back.drain()
            stays = await answer(kind, *await message(ahead), writer)
    except (OSError, asyncio.IncompleteReadError):
        pass
    writer.close()
    back.close()


async def main():
    global method, change
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        name, *change = line.split()
        method = name.encode()
        print("ready", flush=True)


asyncio.run(main())
