#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the recipes of Tests/CredentialsTests/Vectors/Format/index.json: format_vectors.py BASE INDEX

Each recipe makes one vault from BASE with one fault in it. Tests/CredentialsTests/Vectors/Format/README.md
describes the recipes. The digests in the index are those of this program's results; the tests apply the recipes in
Swift.
"""
import hashlib
import hmac
import json
import re
import struct
import sys

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

import read_vault
from read_vault import ZERO_NONCE, hkdf

KEY = bytes(range(32))
PASSPHRASE = b"correct horse battery staple"
DEFAULTS = {"kind": 6, "secret": KEY.hex()}
DATA_KEY = bytes.fromhex("d86e8112f3c4c4442126f8e9f44f16867da487f29052bf91b810457db34209a4")


def splice(data, edit):
    """Replaces `remove` bytes at `at` by `insert`, repeated and numbered if the edit requires it."""
    unit, added = bytes.fromhex(edit.get("insert", "")), bytearray()
    for index in range(edit.get("times", 1)):
        piece = bytearray(unit)
        if "number" in edit:
            piece[edit["number"]:edit["number"] + 2] = struct.pack("<H", index)
        added += piece
    return data[:edit["at"]] + bytes(added) + data[edit["at"] + edit.get("remove", 0):]


class Base:
    def __init__(self, data):
        header = read_vault.parse_header(data)
        self.data, self.length, self.slots = data, header["length"], header["slots"]
        self.header, self.store = data[:self.length], header["store"]
        payload_key = hkdf(DATA_KEY, self.store + header["salt"], b"rcv1/payload", 32)
        digest = hashlib.sha256(self.header).digest()
        self.plain = AESGCM(payload_key).decrypt(ZERO_NONCE, data[self.length:], digest)


def apply(base, recipe):
    header, plain, sealed = base.header, base.plain, base.data[base.length:]
    for edit in recipe.get("payload", []):
        plain = splice(plain, edit)
    for edit in recipe.get("header", []):
        header = splice(header, edit)
    seal = recipe.get("seal")
    if seal == "all":
        header = header[:-36] + struct.pack("<I", len(plain)) + header[-32:]
    if seal:
        digest = hashlib.sha256(header[:108] + header[140:-32]).digest()
        header = header[:108] + digest + header[140:]
    if seal in ("tag", "all"):
        salt = header[20:36] + header[76:108]
        tag = hmac.digest(hkdf(DATA_KEY, salt, b"rcv1/header", 32), header[:-32], "sha256")
        header = header[:-32] + tag
        if seal == "all":
            key = hkdf(DATA_KEY, salt, b"rcv1/payload", 32)
            sealed = AESGCM(key).encrypt(ZERO_NONCE, plain, hashlib.sha256(header).digest())
    data = header + sealed
    for edit in recipe.get("file", []):
        data = splice(data, edit)
    return data


def difference(old, new):
    """The splices that change `old` to `new`, if they differ in one place."""
    front = 0
    while front < min(len(old), len(new)) and old[front] == new[front]:
        front += 1
    back = 0
    while back < min(len(old), len(new)) - front and old[-1 - back] == new[-1 - back]:
        back += 1
    edits, at = [{"at": front, "remove": len(old) - back - front}], front
    for piece in runs(new[front:len(new) - back]):
        edits.append({"at": at, **piece})
        at += len(piece["insert"]) // 2 * piece.get("times", 1)
    return [edit for edit in edits if edit.get("remove") or edit.get("insert")]


def runs(data):
    """The data as inserts, in which long runs of one byte are counted."""
    pieces = [{"insert": data.hex()}]
    for match in re.finditer(rb"(.)\1{127,}", data, re.DOTALL):
        start, end = match.span()
        pieces = [*runs(data[:start]), {"insert": match[1].hex(), "times": end - start}, *runs(data[end:])]
        break
    return pieces


def differences(old, new):
    """The same in two steps, with the zeros at the end separate, because moving them is short then."""
    used, now = old.rstrip(b"\0"), new.rstrip(b"\0")
    edits = difference(used, now)
    more = (len(new) - len(now)) - (len(old) - len(used))
    if more > 0:
        edits.append({"at": len(now), "insert": "00", "times": more})
    elif more < 0:
        edits.append({"at": len(now), "remove": -more})
    return edits


def put(at, value, size=None):
    """Overwrites in place: a number of `size` bytes, or bytes."""
    data = value.to_bytes(size, "little") if size else value
    return {"at": at, "remove": len(data), "insert": data.hex()}


# The payload as a list of [section, records], a record as a list of [tag, value]

def parse_plain(plain):
    sections, data = [], plain
    while data.strip(b"\0"):
        section, count = struct.unpack("<HI", data[:6])
        body, data = data[6:6 + count], data[6 + count:]
        if section > 4:
            sections.append([section, body])
            continue
        rows = []
        while body:
            size = struct.unpack("<I", body[:4])[0]
            row, body, record = body[4:4 + size], body[4 + size:], []
            while row:
                tag, length = struct.unpack("<HI", row[:6])
                record.append([tag, row[6:6 + length]])
                row = row[6 + length:]
            rows.append(record)
        sections.append([section, rows])
    return sections


def encode_field(tag, value):
    return struct.pack("<HI", tag, len(value)) + value


def encode_record(record):
    body = record if isinstance(record, bytes) else b"".join(encode_field(*field) for field in record)
    return struct.pack("<I", len(body)) + body


def encode_plain(sections):
    data = b""
    for section, body in sections:
        if not isinstance(body, bytes):
            body = b"".join(encode_record(record) for record in body)
        data += encode_field(section, body)
    return data + bytes(-len(data) % 4096)


def field(record, tag, value):
    """Sets, or with None removes, one field."""
    for index, (existing, _) in enumerate(record):
        if existing == tag:
            if value is None:
                del record[index]
            else:
                record[index][1] = value
            return
    record.append([tag, value])


class Kit:
    def __init__(self, base):
        self.base, self.recipes = base, []

    def add(self, name, outcome, kind=6, secret=KEY, **steps):
        recipe = {"name": name, "outcome": outcome, "kind": kind, "secret": secret.hex(), **steps}
        recipe = {key: value for key, value in recipe.items() if value != DEFAULTS.get(key)}
        self.recipes.append(recipe)

    def payload(self, name, outcome, change, minor=0, major=1):
        sections = parse_plain(self.base.plain)
        changed = change(sections)
        plain = changed if isinstance(changed, bytes) else encode_plain(sections)
        header = [put(10, minor, 2)] if minor else []
        if major != 1:
            header.append(put(8, major, 2))
        steps = {"header": header} if header else {}
        self.add(name, outcome, payload=differences(self.base.plain, plain), seal="all", **steps)

    def record(self, name, outcome, section, tag, value, index=0, minor=0):
        self.payload(name, outcome, lambda sections: field(sections[section - 1][1][index], tag, value), minor)

    def sealed(self, name, outcome, index=0, tag=11, which=1, plain=None, secret=None, **bound):
        """A login's secret, sealed here; `bound` replaces its binding."""
        def change(sections):
            login = sections[0][1][index]
            values = dict(map(tuple, login))
            pins = {dict(map(tuple, pin))[1]: dict(map(tuple, pin))[2] for pin in sections[1][1]}
            salt, login_id = bytes([0x5A]) * 32, bound.get("login", values[1])
            sealed_field = bytes([bound.get("field", which)])
            store = bound.get("store", self.base.store)
            key = hkdf(DATA_KEY, salt, b"rcv1/entry" + store + login_id + sealed_field, 32)
            pin = bound.get("pin", pins[values[6]])
            associated = (store + login_id + sealed_field + bound.get("revision", values[8])
                          + hashlib.sha256(pin).digest())
            content = plain
            if content is None:
                content = struct.pack("<H", len(secret)) + secret
                content += bytes(-len(content) % 256)
            field(login, tag, salt + AESGCM(key).encrypt(ZERO_NONCE, content, associated))
        self.payload(name, outcome, change)


def make_slot(base, kind, secret, number, log2n=0, label=b"", created=1_700_000_000):
    cost = bytes([log2n, 8, 1]) if kind == 1 else bytes(3)
    slot_id, salt = bytes([0xC0 + number]) * 16, bytes([0xD0 + number]) * 32
    material = read_vault.scrypt(secret, salt, log2n) if kind == 1 else secret
    identity = base.store + slot_id + bytes([kind]) + cost
    keys = hkdf(material, salt, b"rcv1/slot" + identity, 64)
    associated = b"rcv1/slot" + struct.pack("<H", 1) + identity + salt + keys[32:]
    wrapped = AESGCM(keys[:32]).encrypt(ZERO_NONCE, DATA_KEY, associated)
    data = bytes([kind, 1]) + cost + bytes(3) + slot_id + salt + keys[32:] + wrapped + label.ljust(64, b"\0")
    return data + struct.pack("<Q", created) + bytes(48)


def more_slots(base, *slots):
    count = len(base.slots) + len(slots)
    added = {"at": base.length - 36, "insert": b"".join(slots).hex()}
    return [put(12, 180 + 256 * count, 4), put(140, count, 1), added]


def main():
    # A separate file contains the lists of faults.
    import format_faults
    path, index = sys.argv[1:]
    with open(path, "rb") as file:
        base = Base(file.read())
    kit = Kit(base)
    format_faults.add_all(kit)
    names = [recipe["name"] for recipe in kit.recipes]
    assert len(set(names)) == len(names), "a name twice"
    for recipe in kit.recipes:
        data, opening = apply(base, recipe), {**DEFAULTS, **recipe}
        got = read_vault.outcome(data, opening["kind"], bytes.fromhex(opening["secret"])).split(" ")
        assert got[0] == recipe["outcome"], f"{recipe['name']}: {got[0]} instead of {recipe['outcome']}"
        recipe["sha256"] = hashlib.sha256(data).hexdigest()
        if len(got) > 1:
            recipe["content"] = got[1]
    with open(index, "w", encoding="ascii") as file:
        file.write('{"base": "../vault-1.0.rcv", "dataKey": "' + DATA_KEY.hex() + '", "vectors": [\n')
        file.write(",\n".join(json.dumps(recipe) for recipe in kit.recipes))
        file.write("\n]}\n")
    print(f"{len(kit.recipes)} vectors")


if __name__ == "__main__":
    main()
