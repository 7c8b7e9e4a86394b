# SPDX-License-Identifier: Apache-2.0
"""hostile_server.py: answers calls on loopback with replies that are small to send and large to inspect.

Logins and logouts are accepted. The filter of a call of GetSchema selects the reply: the number of one of REPLIES, or
`megabytes N` for a message of that size. Prints the port that it listens on, then the number of replies. For each line
of its input it prints the number of open connections. Exits at the end of its input.
"""

import asyncio
import struct
import sys
import zlib

MEGA = 1 << 20
MESSAGE, EXCEPTION, EVENT, POLL = 0x00, 0x01, 0x02, 0x81


def counted(data):
    return struct.pack("<i", len(data)) + data


def message(client, kind, body, packed=True):
    if packed:
        body = zlib.compress(body, 9)
    return b"RO107" + bytes((packed, kind)) + bytes(5) + client + body


def exception(client, name, text, fields=0, packed=True):
    return message(client, EXCEPTION, counted(b"A" * name) + counted(b"A" * text) + bytes(fields), packed)


def poll(client, events, packed=True):
    body = struct.pack("<ii", len(events), 0)
    body += b"".join(b"\1" + counted(event) if event is not None else b"\0" for event in events)
    return message(client, POLL, body, packed)


def schema(client, text):
    return message(client, MESSAGE, counted(b"DataService") + counted(b"GetSchemaResponse") + counted(text))


def long_lines():
    names = b" ".join(b"n%d%s=''" % (number, b"x" * 120) for number in range(160))
    return b"<r>" + b"".join(b"<a%d %s/>" % (number, names) for number in range(200)) + b"</r>"


def damaged(client):
    data = bytearray(message(client, EXCEPTION, bytes(10 * MEGA)))
    data[1000:1100] = bytes(100)
    return bytes(data)


REPLIES = [
    lambda client: exception(client, 60 * MEGA, 4),
    lambda client: exception(client, 4, 60 * MEGA),
    lambda client: exception(client, 4, 4, fields=60 * MEGA),
    lambda client: exception(client, 4 * MEGA, 4, packed=False),
    lambda client: exception(client, 4, 4 * MEGA, packed=False),
    lambda client: exception(client, 200, 60 << 10),
    lambda client: message(client, EXCEPTION, struct.pack("<i", 0x7FFFFFFF)),
    lambda client: exception(client, 200, 60 << 10, packed=False),
    lambda client: message(client, MESSAGE, bytes(60 * MEGA)),
    lambda client: poll(client, [message(client, EVENT, bytes(60 * MEGA))]),
    lambda client: poll(client, [message(client, EVENT, bytes(MEGA))] * 16),
    lambda client: poll(client, [None] * MEGA),
    lambda client: message(client, POLL, bytes(60 * MEGA)),
    lambda client: poll(client, [message(client, EVENT, bytes(60 * MEGA))], packed=False),
    lambda client: message(client, EVENT, bytes(60 * MEGA)),
    lambda client: schema(client, (b"<" + b"n" * 300 + b">") * 10_000),
    lambda client: schema(client, long_lines()),
    lambda client: schema(client, b"<r>" + b"<b/>" * (MEGA - 10) + b"</r>"),
    lambda client: schema(client, b"<" + b"x" * (4 * MEGA - 100) + b"/>"),
    damaged,
]
made = {}
connections = set()


def strings(data):
    """The strings of a request after its header."""
    while len(data) >= 4:
        (length,) = struct.unpack_from("<i", data)
        yield data[4 : 4 + length]
        data = data[4 + length :]


async def answer(writer, data):
    client, words = data[12:28], list(strings(data[28:]))
    if words[1] != b"GetSchema":
        body = counted(words[0]) + counted(words[1] + b"Response") + struct.pack("<i", 1)
        return await send(writer, message(client, MESSAGE, body, packed=False))
    name, *count = words[2].decode().split(" ")
    if name == "megabytes":
        total = int(count[0]) * MEGA
        writer.write(b"HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n" % (28 + total))
        writer.write(message(client, MESSAGE, b"", packed=False))
        for _ in range(total // MEGA):
            writer.write(bytes(MEGA))
            await writer.drain()
        return
    number = int(name or 0)
    if number not in made:
        made[number] = REPLIES[number](bytes(16))
    # For any ClientID in the header, the daemon shows the tool its own.
    await send(writer, made[number])


async def send(writer, reply):
    writer.write(b"HTTP/1.1 200 X\r\nContent-Length: %d\r\n\r\n" % len(reply) + reply)
    await writer.drain()


async def serve(reader, writer):
    connections.add(writer)
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
            await answer(writer, await reader.readexactly(length))
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    connections.discard(writer)
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], len(REPLIES), flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(len(connections), flush=True)
    sys.exit()


if __name__ == "__main__":
    asyncio.run(main())
