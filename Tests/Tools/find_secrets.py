# SPDX-License-Identifier: Apache-2.0
"""find_secrets.py PLACE...: looks for secrets in files, in all below directories, and in the memory of `pid:NUMBER`.

Reads lines `NAME HEX` from its input, the secrets. Prints a line for each that it finds in a place, and at last in how many
places, each a file, a name or a region of memory, it has looked at how many bytes.
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
            # A name may give a secret away as well.
            yield ("name of " + path, os.fsencode(name))


def memory(pid):
    """Each region that was ever writable; those that the kernel keeps from everybody (memfd_secret) cannot be read."""
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            start, end, rights, inode, name = re.match(r"(\w+)-(\w+) (\S+) \S+ \S+ (\d+)\s*(.*)", line).groups()
            # Nothing was written to what a file gave and nobody may write; nor to room that is only reserved.
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
        # Most of a process is empty pages, and no secret lies across one.
        packed = data.replace(EMPTY, b"\0")
        for secret, needle in secrets:
            if needle in packed and (at := data.find(needle)) >= 0:
                print(f"found {secret} in {name} at {at}, {data.count(needle)} times")
print(f"searched {places} {total}")
