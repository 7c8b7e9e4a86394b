#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reader of the vault format, written from docs/vault-format.md alone.

read_vault.py FILE (--passphrase TEXT | --key HEX) [--anchor FILE]

Prints everything that is in the vault as JSON, secrets included: for test vaults only. Exit status: 0 read,
2 not a vault, 3 newer version, 4 damaged, 5 wrong key. Needs the package cryptography.
"""
import argparse
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
ZERO_NONCE = bytes(12)


class Refused(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def damaged(condition, what):
    if not condition:
        raise Refused(4, "damaged: " + what)


def hkdf(secret, salt, info, count):
    return HKDF(hashes.SHA512(), count, salt, info).derive(secret)


def open_sealed(key, sealed, associated, what):
    try:
        return AESGCM(key).decrypt(ZERO_NONCE, sealed, associated)
    except InvalidTag:
        raise Refused(4, "damaged: " + what)


def parse_slot(data):
    kind, state, log2n, r, p = data[0], data[1], data[2], data[3], data[4]
    damaged(kind in KINDS and state == 1 and data[5:8] == bytes(3) and data[208:] == bytes(48), "slot")
    damaged((15 <= log2n <= 20 and r == 8 and p == 1) if kind == 1 else (log2n, r, p) == (0, 0, 0), "slot cost")
    label = data[136:200].rstrip(b"\0")
    damaged(b"\0" not in label, "slot label")
    return {"kind": kind, "cost": data[2:5], "id": data[8:24], "salt": data[24:56], "commitment": data[56:88],
            "wrapped": data[88:136], "label": label.decode("utf-8"), "created": struct.unpack("<Q", data[200:208])[0]}


def parse_header(data):
    if data[:8] != MAGIC:
        raise Refused(4 if data and MAGIC.startswith(data) else 2, "not a vault")
    damaged(len(data) >= 16, "size")
    major, minor, length = struct.unpack("<HHI", data[8:16])
    if major > 1:
        raise Refused(3, f"format {major}.{minor}")
    damaged(major == 1, "version")
    damaged(length in [180 + 256 * n for n in range(1, 9)], "header length")
    damaged(len(data) >= length, "size")
    damaged(hashlib.sha256(data[:108] + data[140:length - 32]).digest() == data[108:140], "header digest")
    suite, flags = struct.unpack("<HH", data[16:20])
    count = data[140]
    size = struct.unpack("<I", data[length - 36:length - 32])[0]
    damaged(suite == 1 and flags == 0 and data[141:144] == bytes(3) and length == 180 + 256 * count, "header")
    damaged(0 < size <= 8 << 20 and size % 4096 == 0, "payload length")
    damaged(len(data) == length + size + 16, "size")
    generation = struct.unpack("<Q", data[36:44])[0]
    damaged(generation > 0, "generation")
    slots = [parse_slot(data[144 + 256 * i:400 + 256 * i]) for i in range(count)]
    return {"minor": minor, "length": length, "store": data[20:36], "generation": generation,
            "previous": data[44:76], "salt": data[76:108], "slots": slots}


def unwrap(header, kind, secret):
    for slot in header["slots"]:
        if slot["kind"] != kind:
            continue
        material = secret
        if kind == 1:
            material = hashlib.scrypt(secret, salt=slot["salt"], n=1 << slot["cost"][0], r=8, p=1, dklen=32,
                                      maxmem=(1 << 31) - 1)
        identity = header["store"] + slot["id"] + bytes([kind]) + slot["cost"]
        keys = hkdf(material, slot["salt"], b"rcv1/slot" + identity, 64)
        if not hmac.compare_digest(keys[32:], slot["commitment"]):
            continue
        associated = b"rcv1/slot" + struct.pack("<H", 1) + identity + slot["salt"] + slot["commitment"]
        return open_sealed(keys[:32], slot["wrapped"], associated, "data key")
    raise Refused(5, "wrong key")


def fields(data):
    result, last = {}, 0
    while data:
        tag, count = struct.unpack("<HI", data[:6])
        damaged(tag > last and len(data) >= 6 + count, "field")
        result[tag], last, data = data[6:6 + count], tag, data[6 + count:]
    return result


def records(data):
    while data:
        count = struct.unpack("<I", data[:4])[0]
        damaged(len(data) >= 4 + count, "record")
        yield fields(data[4:4 + count])
        data = data[4 + count:]


def sections(data):
    result, last = {}, 0
    while data.strip(b"\0"):
        section, count = struct.unpack("<HI", data[:6])
        damaged(section > last and len(data) >= 6 + count, "section")
        result[section], last, data = data[6:6 + count], section, data[6 + count:]
    damaged(len(data) < 4096, "padding")
    return result


def number(data):
    return int.from_bytes(data, "little")


def parse_pin(record):
    tier, rest, parts = record[0], record[1:], []
    while rest:
        count = struct.unpack("<H", rest[:2])[0]
        damaged(len(rest) >= 2 + count, "pin")
        parts.append(rest[2:2 + count])
        rest = rest[2 + count:]
    if tier == 3:
        return {"tier": 3, "spki": parts[0].hex()}
    return {"tier": tier, "address": parts[0].hex(), "port": number(parts[1])}


def unseal(header, key, entry, field, pin, tag):
    sealed = entry[tag]
    entry_key = hkdf(key, sealed[:32], b"rcv1/entry" + header["store"] + entry[1] + bytes([field]), 32)
    associated = header["store"] + entry[1] + bytes([field]) + entry[8] + hashlib.sha256(pin).digest()
    plain = open_sealed(entry_key, sealed[32:], associated, "entry")
    count = struct.unpack("<H", plain[:2])[0]
    damaged(len(plain) == (count + 2 + 255) // 256 * 256 and not plain[2 + count:].strip(b"\0"), "entry padding")
    return plain[2:2 + count].decode("utf-8")


def read(data, kind, secret):
    header = parse_header(data)
    key = unwrap(header, kind, secret)
    length = header["length"]
    salt = header["store"] + header["salt"]
    tag = hmac.digest(hkdf(key, salt, b"rcv1/header", 32), data[:length - 32], "sha256")
    damaged(hmac.compare_digest(tag, data[length - 32:length]), "header tag")
    payload_key = hkdf(key, salt, b"rcv1/payload", 32)
    plain = open_sealed(payload_key, data[length:], hashlib.sha256(data[:length]).digest(), "payload")
    parts = sections(plain)
    pins = {pin[1]: pin for pin in records(parts[2])}
    logins = []
    for entry in records(parts[1]):
        pin = pins[entry[6]][2]
        logins.append({
            "id": entry[1].hex(), "name": entry[2].decode(), "user": entry[3].decode(), "domain": entry[4].decode(),
            "schema": entry[5].decode(), "endpoint": entry[6].decode(), "policy": number(entry[7]),
            "revision": number(entry[8]), "created": number(entry[9]), "lastUsedDay": number(entry[10]),
            "password": unseal(header, key, entry, 1, pin, 11),
            "envelope": unseal(header, key, entry, 2, pin, 12) if 12 in entry else None})
    return {
        "store": header["store"].hex(), "generation": header["generation"], "previous": header["previous"].hex(),
        "slots": [{"kind": KINDS[slot["kind"]], "label": slot["label"], "created": slot["created"],
                   "log2N": slot["cost"][0]} for slot in header["slots"]],
        "dataKey": key.hex(), "payloadKey": payload_key.hex(), "logins": logins,
        "pins": [{"endpoint": pin[1].decode(), "pin": parse_pin(pin[2]), "flags": number(pin[3]),
                  "network": pin[4].hex() if 4 in pin else None} for pin in pins.values()],
        "settings": {setting[1].decode(): setting[2].hex() for setting in records(parts[3])},
        "grants": [{"id": grant[1].hex(), "login": grant[2].hex(), "service": grant[3].decode(),
                    "methods": grant[4].decode().split("\n"), "flags": number(grant[5]), "created": number(grant[6]),
                    "expires": number(grant[7])} for grant in records(parts[4])],
        "anchorKey": parts[5].hex(),
        "audit": {"key": parts[6][:32].hex(), "sequence": number(parts[6][32:40]), "tag": parts[6][40:].hex()}}


def read_anchor(data, content):
    """What an anchor says, or why it is to be ignored."""
    if len(data) != 104 or data[:8] != bytes.fromhex("895243410d0a1a0a") or data[8:16] != b"\1" + bytes(7):
        return "no anchor"
    if data[16:32].hex() != content["store"]:
        return "of another vault"
    tag = hmac.digest(bytes.fromhex(content["anchorKey"]), data[:72], "sha256")
    if not hmac.compare_digest(tag, data[72:]):
        return "wrong tag"
    return {"generation": number(data[32:40]), "hash": data[40:72].hex()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    secret = parser.add_mutually_exclusive_group(required=True)
    secret.add_argument("--passphrase")
    secret.add_argument("--key")
    parser.add_argument("--anchor")
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        data = file.read()
    try:
        if options.passphrase is not None:
            content = read(data, 1, unicodedata.normalize("NFC", options.passphrase).encode("utf-8"))
        else:
            content = read(data, 6, bytes.fromhex(options.key))
    except Refused as refusal:
        print(f"read_vault.py: {refusal}", file=sys.stderr)
        return refusal.status
    except (struct.error, KeyError, IndexError, UnicodeDecodeError) as error:
        print(f"read_vault.py: damaged: {error}", file=sys.stderr)
        return 4
    if options.anchor:
        with open(options.anchor, "rb") as file:
            content["anchor"] = read_anchor(file.read(), content)
    print(json.dumps(content, indent=2, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
