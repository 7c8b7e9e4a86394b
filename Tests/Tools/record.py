# SPDX-License-Identifier: Apache-2.0
"""record.py PORT FILE: forwards TCP connections on loopback to PORT, and appends what clients send to FILE.

Prints the port that it listens on. Exits at the end of its input.
"""

import asyncio
import sys


async def pump(reader, writer, record):
    while data := await reader.read(65536):
        record(data)
        writer.write(data)
        await writer.drain()
    writer.close()


async def main(port, path):
    file = open(path, "ab", buffering=0)

    async def forward(reader, writer):
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            await asyncio.gather(
                pump(reader, server_writer, file.write), pump(server_reader, writer, lambda data: None)
            )
        except ConnectionError:
            pass

    server = await asyncio.start_server(forward, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    sys.exit()


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
