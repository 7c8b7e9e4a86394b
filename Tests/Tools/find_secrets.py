# SPDX-License-Identifier: Apache-2.0
"""find_secrets.py PLACE...: searches for secrets in files, in directories, and in the memory of `pid:NUMBER`.

Reads the secrets from its input, as lines `NAME HEX`. Prints a line for each secret that is found, and at the end the
number of places and bytes that were searched. A place is a file, a name or a region of memory.
"""

import os
import re
import sys

PIECE = 1 << 24
EMPTY = bytes(4096)


def files(place):
    if not os.path.isdir(place):
        yield place
    for folder, _, names in os.walk(place):
        for name in names:
            path = os.path.join(folder, name)
            yield path
            # A name may also contain a secret.
            yield ("name of " + path, os.fsencode(name))


def memory(pid):
    """Each region that was ever writable. Memory of memfd_secret cannot be read by any process."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            start, end, rights, inode, name = re.match(r"(\w+)-(\w+) (\S+) \S+ \S+ (\d+)\s*(.*)", line).groups()
            # Read-only mappings of files, and reserved memory, were never written to.
            if rights.startswith("---") or (inode != "0" and "w" not in rights) or name.startswith("[v"):
                continue
            data, position, end = bytearray(), int(start, 16), int(end, 16)
            while position < end:
                try:
                    mem.seek(position)
                    piece = mem.read(min(PIECE, end - position))
                except OSError:
                    break
                if not piece:
                    break
                data += piece
                position += len(piece)
            # Untouched pages.
            if data.count(0) == len(data):
                continue
            yield (f"pid {pid} {start} {name or 'without a name'}", bytes(data))


def contents(place):
    if place.startswith("pid:"):
        yield from memory(place[4:])
        return
    for found in files(place):
        if isinstance(found, tuple):
            yield found
        elif os.path.isfile(found):
            with open(found, "rb") as file:
                yield (found, file.read())


secrets = [(name, bytes.fromhex(text)) for name, text in (line.split() for line in sys.stdin)]
total = places = 0
for place in sys.argv[1:]:
    for name, data in contents(place):
        total += len(data)
        places += 1
        # Most pages of a process are empty, and no secret extends across one.
        packed = data.replace(EMPTY, b"\0")
        for secret, needle in secrets:
            if needle in packed and (at := data.find(needle)) >= 0:
                print(f"found {secret} in {name} at {at}, {data.count(needle)} times")
print(f"searched {places} {total}")
