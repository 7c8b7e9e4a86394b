# SPDX-License-Identifier: Apache-2.0
"""broken_reply.py PORT: forwards connections to a server on this machine, and prints its own port.

Each line on standard input is answered by `ready`:

    cut N               once, after N more bytes of replies: prints `cut` and closes the connection
    hold N              prints `held` instead, forwards nothing more, and prints `gone` when the client has closed it
    drop METHOD N       instead of the replies to the next N calls of a method the connections are closed
    withhold METHOD N   they stay open, and it prints `held` when the server has answered"""

import asyncio
import sys

mode, left = None, 0
fate, method, calls = None, b"", 0


def say(text):
    print(text, flush=True)


async def pump_requests(reader, writer, link):
    global calls
    end = b""
    try:
        while data := await reader.read(65536):
            if calls and not link and method in end + data:
                calls -= 1
                link.append(fate)
            end = data[-len(method) :]
            writer.write(data)
            await writer.drain()
    except OSError:
        pass


async def pump_replies(reader, writer, link):
    global mode, left
    try:
        while data := await reader.read(65536):
            if link == ["drop"]:
                break
            if link:
                say("held")
                continue
            if mode:
                data = data[:left]
                left -= len(data)
            writer.write(data)
            await writer.drain()
            if mode and left == 0:
                last, mode = mode, None
                return last
    except OSError:
        pass


async def serve(reader, writer):
    ahead, back = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
    link = []
    requests = asyncio.create_task(pump_requests(reader, back, link))
    replies = asyncio.create_task(pump_replies(ahead, writer, link))
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
    global mode, left, fate, method, calls
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    say(server.sockets[0].getsockname()[1])
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        words = line.split()
        if len(words) == 2:
            mode, left = words[0], int(words[1])
        else:
            fate, method, calls = words[0], words[1].encode(), int(words[2])
        say("ready")


asyncio.run(main())
