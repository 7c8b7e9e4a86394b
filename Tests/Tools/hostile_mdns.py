# SPDX-License-Identifier: Apache-2.0
"""Announces servers with invalid multicast DNS packets, until its input ends.

hostile_mdns.py ADDRESS records         broken names, records and packets, and one valid server named "tame"
hostile_mdns.py ADDRESS addresses       for each line "NUMBER HOST ADDRESS" of input up to an empty one a server "form
                                        NUMBER" at that host name (- for one of its own) and address (- for none)

ADDRESS is the address of the interface to send on. It prints one line for each round.
"""

import random
import select
import socket
import struct
import sys

GROUP = ("224.0.0.251", 5353)
TYPE = [b"_Relativity_DataService_rosdk", b"_tcp", b"local"]
A, PTR, TXT, AAAA, SRV = 1, 12, 16, 28, 33


def name(labels):
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def record(owner, kind, data, length=None, ttl=120, klass=0x8001):
    length = len(data) if length is None else length
    return owner + struct.pack(">HHIH", kind, 1 if kind == PTR else klass, ttl, length) + data


def packet(records, count=None):
    return struct.pack(">6H", 0, 0x8400, 0, len(records) if count is None else count, 0, 0) + b"".join(records)


def address_record(owner, address, ttl=120):
    if ":" in address:
        return record(owner, AAAA, socket.inet_pton(socket.AF_INET6, address.split("%")[0]), ttl=ttl)
    return record(owner, A, socket.inet_pton(socket.AF_INET, address), ttl=ttl)


def service(label, host, address, port=7099, txt=b"\x03v=1", ttl=120):
    """The four records of a valid server. Label and host may be any bytes of valid length."""
    instance = bytes([len(label)]) + label + name(TYPE)
    target = name(host)
    records = [
        record(name(TYPE), PTR, instance, ttl=ttl),
        record(instance, SRV, struct.pack(">3H", 0, 0, port) + target, ttl=ttl),
        record(instance, TXT, txt, ttl=ttl),
    ]
    return records + ([address_record(target, address, ttl)] if address else [])


def hostile(own):
    """Packets with one fault each. The names that may be shown begin with `bad`."""
    host = [b"bad-host", b"local"]

    def plain(label, **changes):
        return packet(service(label, **{"host": host, "address": own, **changes}))

    instance = bytes([3]) + b"bad" + name(TYPE)
    pointer = record(name(TYPE), PTR, instance)
    sound = plain(b"bad cut")
    packets = [
        plain(b"bad \xff\xfe"), plain(b"bad \xff\xfd"), plain(b"bad \xc0\x80"), plain(b"bad \xed\xa0\x80"),
        plain(b"bad \0 nul"), plain(b"bad.dots.in.it"), plain(b"bad \x1b[2J\x1b]0;x\x07"), plain(b"bad \r\n line"),
        plain("bad \u202e right".encode()), plain(b"bad " + b"x" * 59), plain(b"bad \\ back\\slash"),
        plain(b"bad host 1", host=[b"a\r\nHost: x", b"local"]), plain(b"bad host 2", host=[b"\x1b[31m", b"local"]),
        plain(b"bad host 3", host=[b"a\nb", b"local"]), plain(b"bad host 4", host=[b"\xff\xfe", b"local"]),
        plain(b"bad host 5", host=[b"127", b"0", b"0", b"1"]), plain(b"bad host 6", host=[b"127.0.0.1"]),
        plain(b"bad host 7", host=[b"localhost"]), plain(b"bad host 8", host=[]), plain(b"bad host 9", host=[b"0x7f.1"]),
        plain(b"bad host 10", host=[b"x" * 63] * 3 + [b"local"]), plain(b"bad port", port=0),
        plain(b"bad txt 1", txt=b""), plain(b"bad txt 2", txt=b"\xff" + b"x" * 10), plain(b"bad txt 3", txt=b"\0" * 500),
        plain(b"bad txt 4", txt=(b"\xff" + b"y" * 255) * 35), plain(b"bad txt 5", txt=b"\x05\x1b[2J\n"),
        packet(service(b"bad twice", host, own) * 20),
        packet(service(b"bad two ports", host, own, 1) + service(b"bad two ports", host, own, 2)),
        # An instance name of no label, of the type alone, and of a label that is too long to be one.
        packet([record(name(TYPE), PTR, b"\0")]), packet([record(name(TYPE), PTR, name(TYPE))]),
        packet([record(name(TYPE), PTR, b"\xff" + b"z" * 255 + name(TYPE))]),
        packet([record(name(TYPE), PTR, b"\x40" + b"z" * 64 + name(TYPE))]),
        # Names with pointers to themselves, to each other, and out of the packet.
        packet([record(b"\xc0\x0c", PTR, b"\xc0\x0c")]),
        packet([record(b"\xc0\x0e\xc0\x0c", PTR, b"\xc0\x0c")]),
        packet([record(name(TYPE), PTR, b"\xff\xff")]),
        packet([record(name(TYPE), PTR, b"\xc0" + bytes([12 + len(name(TYPE)) + 10]))]),
        # Data of another type, too short, too long, or shorter than it says.
        packet([pointer, record(instance, SRV, b"\0\0\0"), record(instance, TXT, b"\1a")]),
        packet([pointer, record(instance, SRV, socket.inet_aton(own))]),
        packet([record(name(TYPE), PTR, socket.inet_aton(own))]),
        packet([pointer, record(instance, SRV, struct.pack(">3H", 0, 0, 1) + name(host)), record(name(host), A, b"\1\2\3")]),
        packet([record(name(host), A, b"\1" * 16), record(name(host), AAAA, b"\1" * 4)]),
        packet([record(name(TYPE), PTR, instance, length=2)]), packet([record(name(TYPE), PTR, instance, length=9000)]),
        packet([pointer], count=65535), packet([], count=40), b"", b"\0", b"\0" * 12, b"\xff" * 12,
    ]
    packets += [sound[:length] for length in range(len(sound))]
    generator = random.Random(4711)
    for _ in range(300):
        damaged = bytearray(plain(b"bad %d" % generator.randrange(100)))
        for _ in range(generator.randrange(1, 6)):
            damaged[generator.randrange(len(damaged))] = generator.randrange(256)
        packets.append(bytes(damaged))
    # Last: a program that shows this one has processed all the others.
    return packets + [packet(service(b"tame", [b"tame-host", b"local"], own))]


def forms(own):
    packets = []
    for line in iter(sys.stdin.readline, "\n"):
        number, host, address = line.rstrip("\n").split(" ")
        target = [b"form-%s" % number.encode(), b"local"] if host == "-" else [host.encode()]
        packets.append(packet(service(b"form " + number.encode(), target, None if address == "-" else address)))
    return packets + [packet(service(b"tame", [b"tame-host", b"local"], own))]


def opened(own):
    """A socket of a responder, on the interface with this address."""
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
    sender.bind(("", 5353))
    return sender


def main():
    own, mode = sys.argv[1:]
    packets = hostile(own) if mode == "records" else forms(own)
    sender = opened(own)
    while True:
        for data in packets:
            sender.sendto(data, GROUP)
            # A full queue of the receiver would drop the last packets.
            if select.select([sys.stdin], [], [], 0.002)[0]:
                return
        print(f"sent {len(packets)} packets", flush=True)
        if select.select([sys.stdin], [], [], 1)[0]:
            return


if __name__ == "__main__":
    main()
