# SPDX-License-Identifier: Apache-2.0
"""broken_reply.py PORT: forwards connections to a server on this machine, and prints its own port.

A line `cut N` or `hold N` on standard input applies once: after N more bytes of replies it prints `cut` and closes the
connection, or prints `held`, forwards nothing more, and prints `gone` when the client has closed the connection."""

import asyncio
import sys

mode, left = None, 0


def say(text):
    print(text, flush=True)


async def pump(reader, writer, is_reply):
    global mode, left
    try:
        while data := await reader.read(65536):
            if is_reply and mode:
                data = data[:left]
                left -= len(data)
            writer.write(data)
            await writer.drain()
            if is_reply and mode and left == 0:
                last, mode = mode, None
                return last
    except OSError:
        pass


async def serve(reader, writer):
    ahead, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
    requests = asyncio.create_task(pump(reader, back, False))
    replies = asyncio.create_task(pump(ahead, writer, True))
    await asyncio.wait({requests, replies}, return_when=asyncio.FIRST_COMPLETED)
    end = replies.result() if replies.done() else None
    if end == "hold":
        say("held")
        await requests
        say("gone")
    elif end == "cut":
        say("cut")
    requests.cancel()
    replies.cancel()
    for each in writer, back:
        each.transport.abort()


async def main():
    global mode, left
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    say(server.sockets[0].getsockname()[1])
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        mode, count = line.split()
        left = int(count)
        say("ready")


asyncio.run(main())
