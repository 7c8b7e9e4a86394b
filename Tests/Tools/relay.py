# SPDX-License-Identifier: Apache-2.0
"""relay.py LISTEN TARGET: forwards connections from one Unix socket to another. SIGUSR1 closes all of them and refuses
new ones until SIGUSR2. Prints its actions."""

import asyncio
import os
import signal
import sys

listen, target = sys.argv[1:]
writers = set()
server = None


async def pump(reader, writer):
    writers.add(writer)
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()
    writers.discard(writer)


async def serve(reader, writer):
    ahead, back = await asyncio.open_unix_connection(target)
    await asyncio.gather(pump(reader, back), pump(ahead, writer))


async def open_door():
    global server
    server = await asyncio.start_unix_server(serve, listen)
    print("open", flush=True)


def cut():
    server.close()
    os.unlink(listen)
    for writer in writers:
        writer.transport.abort()
    print("cut", flush=True)


async def main():
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, cut)
    loop.add_signal_handler(signal.SIGUSR2, lambda: loop.create_task(open_door()))
    loop.add_signal_handler(signal.SIGTERM, loop.stop)
    await open_door()
    await asyncio.Future()


try:
    asyncio.run(main())
except RuntimeError:
    # The loop was stopped on purpose.
    pass
