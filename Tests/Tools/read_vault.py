#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reader of the vault format, written only from docs/vault-format.md.

read_vault.py FILE (--passphrase TEXT | --recovery-code CODE | --key HEX) [--anchor FILE]
read_vault.py --batch MANIFEST

The first form prints the complete content of the vault as JSON, secrets included: for test vaults only. Exit status:
0 read, 2 not a vault, 3 newer version, 4 damaged, 5 wrong key, 6 a mistyped recovery code.

The second form reads the lines of a file, each a path, the number of a slot type and a secret in hexadecimal
digits, and answers each with the name of its fault, or with `ok` and the SHA-256 of its content as `listing` writes it.

Needs the package cryptography.
"""
import argparse
import functools
import hashlib
import hmac
import json
import struct
import sys
import unicodedata

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MAGIC = bytes.fromhex("895243560d0a1a0a")
KINDS = {1: "passphrase", 2: "secret-service", 3: "systemd-creds", 4: "recovery-code", 5: "key-file",
         6: "credentials-directory"}
STATUS = {"not-a-vault": 2, "version": 3, "wrong-key": 5, "no-slot": 5}
ZERO_NONCE = bytes(12)
NUMBERS = 1 << 62
CODE_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_SPELLINGS = str.maketrans("OIL", "011", " \t\r-")
KNOWN_MINORS = {1: 2, 2: 0}
INTERFACE_LETTERS = set(range(0x21, 0x7F)) - set(b"/:")
HOST_LETTERS = set(b"abcdefghijklmnopqrstuvwxyz0123456789-_.:")
KEY_LETTERS = set(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.")
ID_LETTERS = set(b"abcdefghijklmnopqrstuvwxyz0123456789-")


class Refused(Exception):
    """The fault is one of the names in docs/vault-format.md."""

    def __init__(self, fault, detail=""):
        super().__init__(f"{fault} ({detail})" if detail else fault)
        self.fault = fault


def require(condition, fault, detail=""):
    if not condition:
        raise Refused(fault, detail)


def number(data):
    return int.from_bytes(data, "little")


class Bytes:
    """The unread bytes. Reading past the end raises the given fault."""

    def __init__(self, data, fault):
        self.data, self.at, self.fault = data, 0, fault

    def take(self, count):
        require(self.at + count <= len(self.data), self.fault, "too short")
        self.at += count
        return self.data[self.at - count:self.at]

    def rest(self):
        return self.data[self.at:]

    def more(self):
        return self.at < len(self.data)


# Keys

def hkdf(secret, salt, info, count):
    return HKDF(hashes.SHA512(), count, salt, info).derive(secret)


@functools.lru_cache
def scrypt(passphrase, salt, log2n):
    return hashlib.scrypt(passphrase, salt=salt, n=1 << log2n, r=8, p=1, dklen=32, maxmem=(1 << 31) - 1)


def recovery_secret(text):
    """The 20 bytes of a recovery code in any spelling."""
    typed = text.upper().translate(CODE_SPELLINGS)
    if len(typed) != 36 or not set(typed) <= set(CODE_DIGITS):
        raise ValueError("not 36 digits and letters of a recovery code")
    bits = functools.reduce(lambda bits, digit: bits << 5 | CODE_DIGITS.index(digit), typed, 0)
    code = (bits >> 20).to_bytes(20, "big")
    checksum = int.from_bytes(hashlib.sha256(b"rcv1/recovery" + code).digest()[:4], "big") >> 12
    if bits & 0xFFFFF != checksum:
        raise ValueError("the checksum does not fit")
    return code


def open_sealed(key, sealed, associated, fault):
    try:
        return AESGCM(key).decrypt(ZERO_NONCE, sealed, associated)
    except InvalidTag:
        raise Refused(fault)


def unwrap(header, kind, secret):
    slots = [slot for slot in header["slots"] if slot["kind"] == kind]
    require(slots, "no-slot")
    for slot in slots:
        material = scrypt(secret, slot["salt"], slot["cost"][0]) if kind == 1 else secret
        identity = header["store"] + slot["id"] + bytes([kind]) + slot["cost"]
        keys = hkdf(material, slot["salt"], b"rcv1/slot" + identity, 64)
        if hmac.compare_digest(keys[32:], slot["commitment"]):
            associated = b"rcv1/slot" + struct.pack("<H", 1) + identity + slot["salt"] + slot["commitment"]
            return open_sealed(keys[:32], slot["wrapped"], associated, "slot-key")
    raise Refused("wrong-key")


# The readable part

def parse_slot(data):
    kind, state, log2n, r, p = data[:5]
    require(kind in KINDS and state == 1 and data[5:8] == bytes(3) and data[208:] == bytes(48), "slot", "fields")
    cost = 15 <= log2n <= 20 and r == 8 and p == 1 if kind == 1 else (log2n, r, p) == (0, 0, 0)
    require(cost, "slot", "cost")
    label = data[136:200].rstrip(b"\0")
    try:
        text = label.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("slot", "label")
    require(not any(unicodedata.category(letter) == "Cc" for letter in text), "slot", "label")
    return {"kind": kind, "cost": data[2:5], "id": data[8:24], "salt": data[24:56], "commitment": data[56:88],
            "wrapped": data[88:136], "label": text, "created": number(data[200:208])}


def parse_header(data):
    require(len(data) <= 16 << 20, "size")
    if data[:8] != MAGIC:
        raise Refused("size" if data and MAGIC.startswith(data) else "not-a-vault")
    require(len(data) >= 12, "size")
    major, minor = struct.unpack("<HH", data[8:12])
    require(major <= max(KNOWN_MINORS), "version", f"{major}.{minor}")
    require(major in KNOWN_MINORS, "header", "version")
    require(len(data) >= 16, "size")
    length = number(data[12:16])
    require(length in [180 + 256 * n for n in range(1, 9)], "header-length")
    require(len(data) >= length, "size")
    require(hashlib.sha256(data[:108] + data[140:length - 32]).digest() == data[108:140], "header-digest")
    suite, flags = struct.unpack("<HH", data[16:20])
    require(suite == 1 and flags == 0, "header", "suite or flags")
    generation = number(data[36:44])
    require(0 < generation < NUMBERS, "header", "generation")
    count = data[140]
    require(length == 180 + 256 * count and data[141:144] == bytes(3), "header", "slot count")
    slots = [parse_slot(data[144 + 256 * i:400 + 256 * i]) for i in range(count)]
    require(len({slot["id"] for slot in slots}) == count, "slot", "id twice")
    size = number(data[length - 36:length - 32])
    require(0 < size <= 8 << 20 and size % 4096 == 0, "header", "payload length")
    require(len(data) == length + size + 16, "size")
    return {"version": (major, minor), "length": length, "store": data[20:36], "generation": generation,
            "previous": data[44:76], "salt": data[76:108], "slots": slots}


# The payload

def parse_sections(data, newer):
    result, last, reader = {}, 0, Bytes(data, "record")
    while reader.rest().strip(b"\0"):
        section, count = struct.unpack("<HI", reader.take(6))
        require(section > last and (section <= 6 or newer), "record", f"section {section}")
        result[section], last = reader.take(count), section
    require(len(reader.rest()) < 4096, "record", "padding")
    require(all(section in result for section in range(1, 7)), "record", "section missing")
    return result


class Record:
    """The fields of one record by tag."""

    def __init__(self, data, known, newer):
        self.fields, self.newer, last, reader = {}, newer, 0, Bytes(data, "record")
        while reader.more():
            tag, count = struct.unpack("<HI", reader.take(6))
            require(tag > last and (tag <= known or newer) and count <= 20480, "record", f"field {tag}")
            self.fields[tag], last = reader.take(count), tag

    def value(self, tag, size=None):
        require(tag in self.fields, "record", f"field {tag} missing")
        require(size is None or len(self.fields[tag]) == size, "record", f"size of field {tag}")
        return self.fields[tag]

    def text(self, tag):
        data = self.value(tag)
        require(len(data) <= 4096, "record", f"text of field {tag}")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise Refused("record", f"text of field {tag}")

    def integer(self, tag, size):
        return number(self.value(tag, size))

    def flag(self, tag, meaning):
        """The assigned bits. The others are zero, or belong to a later minor version."""
        value = self.integer(tag, 4)
        require(value <= meaning or self.newer, "record", f"flags of field {tag}")
        return value & meaning

    def endpoint(self, tag):
        data = self.value(tag)
        require(1 <= len(data) <= 64 and set(data) <= ID_LETTERS, "record", "endpoint id")
        return data.decode("ascii")

    def sealed(self, tag):
        data = self.value(tag)
        count = len(data) - 48
        require(0 < count <= 16640 and count % 256 == 0, "record", "sealed secret")
        return data


def parse_records(data, known, newer):
    result, reader = [], Bytes(data, "record")
    while reader.more():
        require(len(result) < 1024, "record", "too many")
        result.append(Record(reader.take(number(reader.take(4))), known, newer))
    return result


def parse_pin(record):
    parts, reader = [], Bytes(record, "record")
    tier = reader.take(1)[0]
    while reader.more():
        parts.append(reader.take(number(reader.take(2))))
    sizes = [len(part) for part in parts]
    if tier == 3:
        require(sizes == [32], "record", "pin")
        return {"tier": 3, "spki": parts[0].hex()}
    require(tier in (0, 1) and sizes in ([4, 2], [16, 2]), "record", "pin")
    return {"tier": tier, "address": parts[0].hex(), "port": number(parts[1])}


def parse_extras(data):
    """Keys and values, each after its length."""
    texts, reader = [], Bytes(data, "record")
    while reader.more():
        text = reader.take(number(reader.take(2)))
        limit = 1024 if len(texts) % 2 else 64
        require(1 <= len(text) <= limit and (limit == 1024 or set(text) <= KEY_LETTERS), "record", "extra key")
        try:
            texts.append(text.decode("utf-8"))
        except UnicodeDecodeError:
            raise Refused("record", "extra key")
    extras = list(zip(texts[::2], texts[1::2]))
    require(len(texts) % 2 == 0 and 1 <= len(extras) <= 16, "record", "extra keys")
    require_unique([key.lower() for key, _ in extras], "extra key")
    return extras


def parse_command(data):
    """A program with its arguments, each after its length."""
    arguments, reader = [], Bytes(data, "record")
    require(len(data) <= 4096, "record", "command")
    while reader.more():
        try:
            arguments.append(reader.take(number(reader.take(2))).decode("utf-8"))
        except UnicodeDecodeError:
            raise Refused("record", "command")
    require(1 <= len(arguments) <= 32 and not any("\0" in argument for argument in arguments), "record", "command")
    program = arguments[0]
    require(program and (program[0] == "/" or "/" not in program), "record", "program")
    return arguments


def parse_login(record, version):
    name, policy = record.text(2), record.integer(7, 4)
    require(name, "record", "login name")
    require(record.integer(8, 8) < NUMBERS, "record", "login revision")
    meaning = 1 if version >= (2, 0) else 0
    require(policy <= meaning or record.newer, "record", "login policy")
    policy &= meaning
    command = parse_command(record.value(15)) if version >= (2, 0) and 15 in record.fields else None
    require((command is None) == (11 in record.fields), "record", "login password")
    require(policy == 0 or command, "record", "login policy")
    user_key = record.text(13) if 13 in record.fields else "User Id"
    require(user_key == "User" or 13 not in record.fields, "record", "user key")
    return {"id": record.value(1, 16), "name": name, "user": record.text(3), "domain": record.text(4),
            "schema": record.text(5), "endpoint": record.endpoint(6), "policy": policy,
            "revision": record.integer(8, 8), "created": record.integer(9, 8), "lastUsedDay": record.integer(10, 4),
            "password": None if command else record.sealed(11), "command": command,
            "userKey": user_key, "extras": parse_extras(record.value(14)) if 14 in record.fields else []}


def parse_pinned(record, version):
    network = record.value(4, 32).hex() if 4 in record.fields else None
    require((5 in record.fields) == (6 in record.fields), "record", "half of a place")
    place = {"name": record.text(5), "url": record.text(6)} if 5 in record.fields else {}
    pin = parse_pin(record.value(2))
    if 7 in record.fields:
        host = record.value(7)
        require(1 <= len(host) <= 253 and set(host) <= HOST_LETTERS, "record", "authority")
        fingerprint = hashlib.sha256(b"\3\2\0ca" + struct.pack("<H", len(host)) + host).hexdigest()
        require(pin == {"tier": 3, "spki": fingerprint}, "record", "authority")
        pin = {"tier": 3, "authority": host.decode("ascii")}
    if 8 in record.fields:
        name = record.value(8)
        require(1 <= len(name) <= 15 and set(name) <= INTERFACE_LETTERS, "record", "interface")
        require(pin["tier"] == 1 and is_link_local(pin["address"]), "record", "interface of another address")
        place["interface"] = name.decode("ascii")
    flags = record.flag(3, 7 if version >= (2, 0) else 3)
    if version >= (2, 0) and 9 in record.fields:
        place["alternate"] = record.endpoint(9)
    require("url" in place if "alternate" in place else flags < 4, "record", "alternate address")
    return {"endpoint": record.endpoint(1), "record": record.value(2), "pin": pin,
            "flags": flags, "network": network, **place}


def is_link_local(address):
    """fe80::/10, in hexadecimal digits."""
    return len(address) == 32 and address[:2] == "fe" and address[2] in "89ab"


def require_unique(values, what):
    require(len(set(values)) == len(values), "record", what + " twice")


def normal(text):
    return unicodedata.normalize("NFC", text)


def parse_payload(data, version):
    newer = version[1] > KNOWN_MINORS[version[0]]
    parts = parse_sections(data, newer)
    fields = 15 if version >= (2, 0) else 14 if version >= (1, 1) else 12
    logins = [parse_login(record, version) for record in parse_records(parts[1], fields, newer)]
    fields = 9 if version >= (2, 0) else 8 if version >= (1, 2) else 7 if version >= (1, 1) else 6
    pins = [parse_pinned(record, version) for record in parse_records(parts[2], fields, newer)]
    require_unique([login["id"] for login in logins], "login id")
    require_unique([normal(login["name"]) for login in logins], "login name")
    require_unique([pin["endpoint"] for pin in pins], "endpoint")
    pinned = {pin["endpoint"] for pin in pins if "alternate" not in pin}
    require(all(pin.get("alternate", pin["endpoint"]) in pinned for pin in pins), "record", "alternate of no endpoint")
    require(all(login["endpoint"] in pinned for login in logins), "record", "login without a pin")
    require(len(parts[5]) == 32 and len(parts[6]) == 72, "record", "keys")
    require(number(parts[6][32:40]) < NUMBERS, "record", "audit sequence")
    return {"logins": logins, "pins": pins, "anchorKey": parts[5].hex(),
            "audit": {"key": parts[6][:32].hex(), "sequence": number(parts[6][32:40]), "tag": parts[6][40:].hex()}}


def unseal(header, key, login, pin, sealed):
    entry_key = hkdf(key, sealed[:32], b"rcv1/entry" + header["store"] + login["id"] + b"\1", 32)
    revision = struct.pack("<Q", login["revision"])
    associated = header["store"] + login["id"] + b"\1" + revision + hashlib.sha256(pin).digest()
    plain = open_sealed(entry_key, sealed[32:], associated, "entry")
    count = number(plain[:2])
    require(len(plain) == (count + 2 + 255) // 256 * 256 and count <= 16384, "entry", "padding")
    require(not plain[2 + count:].strip(b"\0"), "entry", "padding")
    return plain[2:2 + count]


def read(data, kind, secret):
    """The content of the vault; secrets are bytes."""
    header = parse_header(data)
    key = unwrap(header, kind, secret)
    length, salt = header["length"], header["store"] + header["salt"]
    tag = hmac.digest(hkdf(key, salt, b"rcv1/header", 32), data[:length - 32], "sha256")
    require(hmac.compare_digest(tag, data[length - 32:length]), "header-tag")
    payload_key = hkdf(key, salt, b"rcv1/payload", 32)
    plain = open_sealed(payload_key, data[length:], hashlib.sha256(data[:length]).digest(), "payload")
    content = parse_payload(plain, header["version"])
    records = {pin["endpoint"]: pin.pop("record") for pin in content["pins"]}
    for login in content["logins"]:
        pin = records[login["endpoint"]]
        if not login["command"]:
            login["password"] = unseal(header, key, login, pin, login["password"])
    slots = [{"kind": KINDS[slot["kind"]], "label": slot["label"], "created": slot["created"],
              "log2N": slot["cost"][0]} for slot in header["slots"]]
    return {"store": header["store"].hex(), "generation": header["generation"], "previous": header["previous"].hex(),
            "slots": slots, "dataKey": key.hex(), "payloadKey": payload_key.hex(), **content}


def read_anchor(data, content):
    """The content of an anchor, or the reason to ignore it."""
    if len(data) != 104 or data[:8] != bytes.fromhex("895243410d0a1a0a") or data[8:16] != b"\1" + bytes(7):
        return "no anchor"
    if data[16:32].hex() != content["store"]:
        return "of another vault"
    tag = hmac.digest(bytes.fromhex(content["anchorKey"]), data[:72], "sha256")
    if not hmac.compare_digest(tag, data[72:]):
        return "wrong tag"
    return {"generation": number(data[32:40]), "hash": data[40:72].hex()}


# Output

def readable(content):
    """The content for people: secrets as text, or in hexadecimal digits if they are not text."""
    def secret(data):
        if data is None:
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return {"hex": data.hex()}
    logins = [{**login, "id": login["id"].hex(), "password": secret(login["password"]),
               "extras": dict(login["extras"])}
              for login in content["logins"]]
    for login in logins:
        if login["userKey"] == "User Id" and not login["extras"]:
            del login["userKey"], login["extras"]
        del login["password" if login["command"] else "command"]
    return {**content, "logins": logins}


def listing(content):
    """The content as lines of words: text and secrets in hexadecimal digits, absent values as `-`."""
    def words(*values):
        return " ".join("-" if value is None else value.hex() if isinstance(value, bytes) else str(value)
                        for value in values)

    def text(value):
        return value.encode("utf-8").hex()

    lines = [words("vault", content["store"], content["generation"], content["previous"], content["dataKey"])]
    for slot in content["slots"]:
        lines.append(words("slot", slot["kind"], slot["log2N"], text(slot["label"]), slot["created"]))
    for login in content["logins"]:
        lines.append(words("login", login["id"], *[text(login[name]) for name in ("name", "user", "domain", "schema")],
                           login["endpoint"], login["policy"], login["revision"], login["created"],
                           login["lastUsedDay"], login["password"]))
        for argument in login["command"] or []:
            lines.append(words("argument", text(argument)))
        if login["userKey"] != "User Id" or login["extras"]:
            lines.append(words("user-key", text(login["userKey"])))
        for key, value in login["extras"]:
            lines.append(words("extra", text(key), text(value)))
    for pinned in content["pins"]:
        pin = pinned["pin"]
        identity = [3, text(pin["authority"])] if "authority" in pin else pin.values()
        lines.append(words("pin", pinned["endpoint"], *identity, pinned["flags"], pinned["network"],
                           *[text(pinned[name]) for name in ("name", "url") if name in pinned]))
        if "interface" in pinned:
            lines.append(words("interface", text(pinned["interface"])))
        if "alternate" in pinned:
            lines.append(words("alternate", pinned["alternate"]))
    audit = content["audit"]
    lines.append(words("keys", content["anchorKey"], audit["key"], audit["sequence"], audit["tag"]))
    return "".join(line + "\n" for line in lines)


def outcome(data, kind, secret):
    """`ok` and the digest of the content, or only the fault."""
    try:
        content = read(data, kind, secret)
    except Refused as refusal:
        return refusal.fault
    return "ok " + hashlib.sha256(listing(content).encode("ascii")).hexdigest()


def batch(lines):
    for line in lines:
        path, kind, secret = line.split(" ")
        with open(path, "rb") as file:
            data = file.read()
        print(outcome(data, int(kind), bytes.fromhex(secret)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?")
    parser.add_argument("--batch")
    secret = parser.add_mutually_exclusive_group()
    secret.add_argument("--passphrase")
    secret.add_argument("--recovery-code")
    secret.add_argument("--key")
    parser.add_argument("--anchor")
    options = parser.parse_args()
    if options.batch:
        with open(options.batch, encoding="utf-8") as manifest:
            batch(manifest)
        return 0
    with open(options.file, "rb") as file:
        data = file.read()
    try:
        if options.passphrase is not None:
            content = read(data, 1, normal(options.passphrase).encode("utf-8"))
        elif options.recovery_code is not None:
            content = read(data, 4, recovery_secret(options.recovery_code))
        else:
            content = read(data, 6, bytes.fromhex(options.key))
    except ValueError as mistake:
        print(f"read_vault.py: {mistake}", file=sys.stderr)
        return 6
    except Refused as refusal:
        print(f"read_vault.py: {refusal}", file=sys.stderr)
        return STATUS.get(refusal.fault, 4)
    if options.anchor:
        with open(options.anchor, "rb") as file:
            content["anchor"] = read_anchor(file.read(), content)
    print(json.dumps(readable(content), indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
