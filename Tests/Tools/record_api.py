# SPDX-License-Identifier: Apache-2.0
"""record_api.py SOCKET TARGET DIRECTORY: listens on SOCKET, and forwards connections to the daemon's socket TARGET.

Writes into DIRECTORY: `to-client`, the output of the daemon; `to-daemon`, the input from clients; `secrets`, the input
after a request with `upgrade`, which the protocol uses for raw secrets. Prints `ready`. Exits at the end of its input.
"""

import asyncio
import json
import os
import sys


async def main(path, target, directory):
    to_client, to_daemon, secrets = (
        open(os.path.join(directory, name), "ab", buffering=0) for name in ("to-client", "to-daemon", "secrets")
    )

    async def requests(reader, writer):
        rest = b""
        upgraded = False
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
            if upgraded:
                secrets.write(data)
                continue
            *frames, rest = (rest + data).split(b"\0")
            for frame in frames:
                upgraded = upgraded or json.loads(frame).get("upgrade", False)
                to_daemon.write(frame + b"\n")
            if upgraded:
                secrets.write(rest)
        to_daemon.write(rest)
        writer.write_eof()

    async def replies(reader, writer):
        while data := await reader.read(65536):
            to_client.write(data)
            writer.write(data)
            await writer.drain()
        writer.close()

    async def forward(reader, writer):
        try:
            daemon_reader, daemon_writer = await asyncio.open_unix_connection(target)
            await asyncio.gather(requests(reader, daemon_writer), replies(daemon_reader, writer))
        except OSError:
            pass
        writer.close()

    await asyncio.start_unix_server(forward, path)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


asyncio.run(main(*sys.argv[1:]))
