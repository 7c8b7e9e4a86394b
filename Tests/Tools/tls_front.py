#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A TLS proxy for a plain server on loopback, for tests.

tls_front.py CERTIFICATE KEY PORT BACKEND-PORT

Listens on 127.0.0.1 (port 0 takes any), prints "listening on PORT", and forwards bytes in both directions until it is
killed.
"""
import asyncio
import ssl
import sys


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (ConnectionError, ssl.SSLError):
        pass
    finally:
        writer.close()


async def main(certificate, key, port, backend):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    async def serve(reader, writer):
        try:
            upstream = await asyncio.open_connection("127.0.0.1", int(backend))
        except OSError:
            writer.close()
            return
        await asyncio.gather(pump(reader, upstream[1]), pump(upstream[0], writer))

    server = await asyncio.start_server(serve, "127.0.0.1", int(port), ssl=context)
    print("listening on", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main(*sys.argv[1:]))
