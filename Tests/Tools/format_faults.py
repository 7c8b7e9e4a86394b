# SPDX-License-Identifier: Apache-2.0
"""The faults of the format's vectors, one each. The base is vault-1.0.rcv: two slots, two logins, generation 2."""
import hashlib
import struct

from format_vectors import KEY, PASSPHRASE, differences, encode_field, encode_plain, encode_record, field, make_slot, \
    more_slots, parse_plain, put

SLOT = 144
OTHER = bytes([7]) * 32
LOGIN, PIN, SETTING, GRANT = 1, 2, 3, 4
HEADER_FIELDS = {"minor": 10, "suite": 16, "flags": 18, "store id": 20, "generation": 36, "previous": 44,
                 "save salt": 76, "digest": 108, "slot count": 140, "reserved": 141}
SLOT_FIELDS = {"type": 0, "state": 1, "cost": 2, "reserved": 5, "id": 8, "salt": 24, "commitment": 56, "wrapped": 88,
               "label": 136, "created": 200, "padding": 208}


def flip(kit, at):
    return [put(at, bytes([kit.base.data[at] ^ 1]))]


def add_all(kit):
    for group in (sound, slots, foreign, cut, header_digest, header_fields, bad_slots, keys, header_tag, payload,
                  sections, records, logins, pins, settings_and_grants, seals, minor_1, minor_2, major_2):
        group(kit)


def sound(kit):
    kit.add("ok: by key", "ok")
    kit.add("ok: by passphrase", "ok", kind=1, secret=PASSPHRASE)
    kit.add("ok: minor 1 without need", "ok", header=[put(10, 1, 2)], seal="all")
    kit.add("ok: minor 2 without need", "ok", header=[put(10, 2, 2)], seal="all")
    kit.add("ok: a later minor", "ok", header=[put(10, 3, 2)], seal="all")
    kit.add("ok: a later minor's section", "ok", header=[put(10, 9, 2)], payload=later_section(kit), seal="all")
    kit.add("ok: a later minor's field", "ok", header=[put(10, 3, 2)], payload=later(kit, 1, 15, b"new"), seal="all")
    kit.add("ok: a later minor's flag", "ok", header=[put(10, 3, 2)], payload=later(kit, 2, 3, b"\x02\0\0\0"),
            seal="all")
    kit.add("ok: the last generation", "ok", header=[put(36, 2 ** 62 - 1, 8)], seal="all")
    kit.payload("ok: the last number of a line", "ok", lambda s: audit_sequence(s, 2 ** 62 - 1))
    kit.payload("ok: nothing but keys", "ok", lambda sections: [section.__setitem__(1, []) for section in sections[:4]])
    kit.record("ok: text of 4096 bytes", "ok", LOGIN, 3, b"u" * 4096)
    kit.record("ok: text with control characters", "ok", LOGIN, 4, b"a\nb\x1b\0")
    kit.record("ok: no user, domain or schema", "ok", LOGIN, 3, b"")
    kit.record("ok: a setting of 4096 bytes", "ok", SETTING, 2, bytes(4096))
    kit.record("ok: an endpoint that no login uses", "ok", PIN, 4, bytes(32))
    ipv6 = bytes.fromhex("01100020010db8000000000000000000000001") + b"\x02\0\x91\x1f"
    kit.payload("ok: an IPv6 pin", "ok", lambda s: s[1][1].append([[1, b"six"], [2, ipv6], [3, b"\1\0\0\0"]]))
    kit.payload("ok: a pin that nobody has agreed to", "ok", lambda s: s[1][1].append(
        [[1, b"far"], [2, bytes([3, 32, 0]) + bytes(32)], [3, b"\2\0\0\0"], [5, "Büro".encode()],
         [6, b"https://192.168.7.21:7099/bin"]]))
    kit.sealed("ok: an empty secret", "ok", secret=b"")
    kit.sealed("ok: a secret of 254 bytes", "ok", secret=bytes([0xFF]) * 254)
    kit.sealed("ok: a secret of 255 bytes", "ok", secret=b"x" * 255)
    kit.sealed("ok: a secret of 16 KiB", "ok", secret=b"long" * 4096)
    kit.sealed("ok: an envelope password", "ok", index=1, tag=12, which=2, secret="Zürich".encode())
    kit.add("ok: 1024 grants", "ok", payload=grants(kit, 1024), seal="all")


    kit.payload("ok: only what is written", "ok", written)
    kit.payload("ok: a link-local pin, and only what is written", "ok", lambda s: (written(s), s[1][1].append(
        [[1, b"six"], [2, b"\1\x10\0\xfe\x80" + bytes(13) + b"\1\2\0\x91\x1f"], [3, b"\1\0\0\0"], [8, b"eth0"]])) and None, 2)


def written(sections):
    """Removes what no program has written."""
    sections[2][1] = sections[3][1] = []
    for login in sections[0][1]:
        login[:] = [pair for pair in login if pair[0] != 12]


def later_section(kit):
    end = len(encode_plain_used(kit))
    return [{"at": end, "remove": 10, "insert": (encode_field(7, b"new")).hex() + "00"}]


def later(kit, section, tag, value):
    sections = parse_plain(kit.base.plain)
    field(sections[section - 1][1][0], tag, value)
    return differences(kit.base.plain, encode_plain(sections))


def grants(kit, count):
    """The payload with numbered grants, and zeros up to the next block."""
    front = encode_plain(parse_plain(kit.base.plain)[:3]).rstrip(b"\0")
    at = kit.base.plain.index(struct.pack("<H", 4), len(front))
    old = struct.unpack("<I", kit.base.plain[at + 2:at + 6])[0]
    record = encode_record([[1, bytes(16)], [2, bytes(16)], [3, b"S"], [4, b"M"], [5, bytes(4)], [6, bytes(8)],
                            [7, bytes(8)]])
    body = {"at": at + 6, "remove": old, "insert": record.hex(), "times": count, "number": 10}
    used = len(encode_plain_used(kit)) - old + count * len(record)
    padding = -used % 4096
    now = len(kit.base.plain) - len(encode_plain_used(kit))
    return [put(at + 2, count * len(record), 4), body,
            {"at": used, "remove": now, "insert": "00", "times": padding}]


def encode_plain_used(kit):
    data = b""
    for section, body in parse_plain(kit.base.plain):
        data += encode_field(section, body if isinstance(body, bytes) else b"".join(map(encode_record, body)))
    return data


def slots(kit):
    base = kit.base
    for kind, secret in [(2, OTHER), (3, OTHER), (4, bytes(range(20))), (5, OTHER)]:
        header = more_slots(base, make_slot(base, kind, secret, kind))
        kit.add(f"ok: slot of type {kind}", "ok", kind, secret, header=header, seal="all")
    kit.add("ok: scrypt of 2^16", "ok", 1, b"more", seal="all",
            header=more_slots(base, make_slot(base, 1, b"more", 1, log2n=16)))
    two = [make_slot(base, 5, bytes([n]) * 32, n) for n in (1, 2)]
    kit.add("ok: the second slot of a type", "ok", 5, bytes([2]) * 32, header=more_slots(base, *two), seal="all")
    six = [make_slot(base, 5, bytes([n]) * 32, n, label=b"key %d" % n) for n in range(6)]
    kit.add("ok: eight slots", "ok", 5, bytes([5]) * 32, header=more_slots(base, *six), seal="all")
    for name, label in [("64 bytes", b"l" * 64), ("letters", "Schlüssel 🔑".encode())]:
        kit.add(f"ok: label of {name}", "ok", header=[put(SLOT + 136, label.ljust(64, b"\0"))], seal="all")


def foreign(kit):
    whole = len(kit.base.data)
    kit.add("foreign: empty", "not-a-vault", file=[{"at": 0, "remove": whole}])
    kit.add("foreign: text", "not-a-vault", file=[{"at": 0, "remove": whole, "insert": b"SQLite format 3\0".hex()}])
    for at in range(8):
        kit.add(f"foreign: magic {at}", "not-a-vault", file=flip(kit, at))
    kit.add("foreign: line ends changed", "not-a-vault", file=[{"at": 4, "remove": 1}])
    kit.add("foreign: byte order mark", "not-a-vault", file=[{"at": 0, "insert": "efbbbf"}])
    for major in (3, 256, 65535):
        kit.add(f"version: major {major}", "version", file=[put(8, major, 2)])
    kit.add("version: nothing but major 3", "version", file=[put(8, 3, 2), {"at": 12, "remove": whole - 12}])
    kit.add("version: major 0", "header", file=[put(8, 0, 2)])


def cut(kit):
    base, whole = kit.base, len(kit.base.data)
    for count in (1, 7, 8, 11, 12, 15, 16, 107, 144, 400, base.length - 1, base.length, base.length + 1, whole - 17,
                  whole - 16, whole - 1):
        kit.add(f"size: {count} bytes", "size", file=[{"at": count, "remove": whole - count}])
    kit.add("size: one byte more", "size", file=[{"at": whole, "insert": "00"}])
    kit.add("size: a block more", "size", file=[{"at": whole, "insert": "00", "times": 4096}])
    kit.add("size: a larger payload announced", "size", header=[put(base.length - 36, 8192, 4)], seal="tag")
    kit.add("size: the largest payload announced", "size", header=[put(base.length - 36, 8 << 20, 4)], seal="tag")
    for length in (0, 179, 180, 435, 437, 180 + 256 * 9, 1 << 31, (1 << 32) - 1):
        kit.add(f"header length: {length}", "header-length", file=[put(12, length, 4)])


def header_digest(kit):
    for name, at in HEADER_FIELDS.items():
        kit.add(f"header digest: {name}", "header-digest", file=flip(kit, at))
    for name, at in SLOT_FIELDS.items():
        kit.add(f"header digest: slot {name}", "header-digest", file=flip(kit, SLOT + at))
    kit.add("header digest: payload length", "header-digest", file=flip(kit, kit.base.length - 35))
    kit.add("header digest: length of one slot", "header-digest", file=[put(12, 436, 4)])


def header_fields(kit):
    end = kit.base.length - 36
    for name, edit in [("suite 0", put(16, 0, 2)), ("suite 2", put(16, 2, 2)), ("flags", put(18, 1, 2)),
                       ("generation 0", put(36, 0, 8)), ("generation 2^62", put(36, 2 ** 62, 8)),
                       ("generation 2^64 - 1", put(36, 2 ** 64 - 1, 8)), ("one slot of two", put(140, 1, 1)),
                       ("three slots of two", put(140, 3, 1)), ("no slot", put(140, 0, 1)),
                       ("reserved 141", put(141, 1, 1)), ("reserved 143", put(143, 128, 1)),
                       ("empty payload", put(end, 0, 4)), ("payload of 4095", put(end, 4095, 4)),
                       ("payload of 4097", put(end, 4097, 4)), ("payload above 8 MiB", put(end, (8 << 20) + 4096, 4)),
                       ("payload of 4 GiB", put(end, 0xFFFFF000, 4))]:
        kit.add(f"header: {name}", "header", header=[edit], seal="tag")


def bad_slots(kit):
    edits = {"type 0": (0, 0), "type 7": (0, 7), "type 255": (0, 255), "state 0": (1, 0), "state 2": (1, 2),
             "r 7": (3, 7), "r 9": (3, 9), "r 0": (3, 0), "p 0": (4, 0), "p 2": (4, 2), "p 255": (4, 255),
             "reserved 5": (5, 1), "reserved 7": (7, 1), "padding 208": (208, 1), "padding 255": (255, 1)}
    for log2n in (0, 1, 14, 21, 31, 32, 63, 64, 255):
        edits[f"N of 2^{log2n}"] = (2, log2n)
    for name, (at, value) in edits.items():
        kit.add(f"slot: {name}", "slot", header=[put(SLOT + at, value, 1)], seal="tag")
    for name, at in [("log2 N", 2), ("r", 3), ("p", 4)]:
        kit.add(f"slot: {name} without scrypt", "slot", header=[put(SLOT + 256 + at, 1, 1)], seal="tag")
    for name, label in [("escape", b"a\x1b[2J"), ("delete", b"a\x7f"), ("C1 control", "a\u009b".encode()),
                        ("line feed", b"a\nb"), ("no UTF-8", b"\xff\xfe"), ("surrogate", b"\xed\xa0\x80"),
                        ("overlong", b"\xc0\xaf"), ("letter cut", b"a" * 63 + b"\xc3"), ("after a zero", b"a\0b")]:
        kit.add(f"slot: label with {name}", "slot", header=[put(SLOT + 136, label.ljust(64, b"\0"))], seal="tag")
    first = kit.base.slots[0]["id"]
    kit.add("slot: id twice", "slot", header=[put(SLOT + 256 + 8, first)], seal="tag")


def keys(kit):
    base, second = kit.base, SLOT + 256
    kit.add("wrong key: another key", "wrong-key", secret=OTHER)
    kit.add("wrong key: one bit", "wrong-key", secret=bytes([1]) + KEY[1:])
    kit.add("wrong key: one byte less", "wrong-key", secret=KEY[:31])
    kit.add("wrong key: another passphrase", "wrong-key", 1, PASSPHRASE + b" ")
    kit.add("wrong key: the other slot's secret", "wrong-key", 1, KEY)
    kit.add("wrong key: no slot of the type", "no-slot", 2, KEY)
    for name in ("id", "salt", "commitment"):
        at = second + SLOT_FIELDS[name]
        kit.add(f"wrong key: slot {name}", "wrong-key", header=flip(kit, at), seal="tag")
    kit.add("wrong key: slot type", "wrong-key", 5, header=[put(second, 5, 1)], seal="tag")
    kit.add("wrong key: store id", "wrong-key", header=flip(kit, 20), seal="tag")
    kit.add("wrong key: cheaper scrypt", "wrong-key", 1, PASSPHRASE, header=[put(SLOT + 2, 16, 1)], seal="tag")
    swapped = base.data[SLOT + 56:SLOT + 88]
    kit.add("wrong key: the other slot's commitment", "wrong-key", header=[put(second + 56, swapped)], seal="tag")
    for name, at in [("first byte", 88), ("last byte", 119), ("tag's first byte", 120), ("tag's last byte", 135)]:
        kit.add(f"slot key: {name}", "slot-key", header=flip(kit, second + at), seal="tag")
    kit.add("slot key: the other slot's", "slot-key", header=[put(second + 88, base.data[SLOT + 88:SLOT + 136])],
            seal="tag")
    kit.add("slot key: zeros", "slot-key", header=[put(second + 88, bytes(48))], seal="tag")


def header_tag(kit):
    base = kit.base
    for name, at in [("minor", 10), ("generation", 36), ("previous", 44), ("save salt", 76), ("label", SLOT + 136),
                     ("created", SLOT + 200), ("the other slot's salt", SLOT + 24)]:
        kit.add(f"header tag: {name}", "header-tag", header=flip(kit, at), seal="digest")
    for name, at in [("first byte", base.length - 32), ("last byte", base.length - 1)]:
        kit.add(f"header tag: {name}", "header-tag", file=flip(kit, at))
    kit.add("header tag: zeros", "header-tag", file=[put(base.length - 32, bytes(32))])
    first, second = base.data[SLOT:SLOT + 256], base.data[SLOT + 256:SLOT + 512]
    kit.add("header tag: slots swapped", "header-tag", header=[put(SLOT, second + first)], seal="digest")
    kit.add("header tag: a slot removed", "header-tag", seal="digest",
            header=[{"at": SLOT, "remove": 256}, put(12, 436, 4), put(140, 1, 1)])
    added = make_slot(base, 5, OTHER, 9)
    kit.add("header tag: a slot added", "header-tag", header=more_slots(base, added), seal="digest")


def payload(kit):
    base, whole = kit.base, len(kit.base.data)
    for name, at in [("first byte", base.length), ("middle", base.length + 2048), ("last byte", whole - 17),
                     ("tag's first byte", whole - 16), ("tag's last byte", whole - 1)]:
        kit.add(f"payload: {name}", "payload", file=flip(kit, at))
    kit.add("payload: zeros", "payload", file=[{"at": base.length, "remove": 4096, "insert": "00", "times": 4096}])
    kit.add("payload: plain text", "payload", file=[put(base.length, base.plain[:64])])
    for name, at in [("generation", 36), ("previous", 44), ("label", SLOT + 136), ("save salt", 76)]:
        kit.add(f"payload: {name} under a good header tag", "payload", header=flip(kit, at), seal="tag")


def sections(kit):
    def section(name, change):
        kit.payload(f"record: {name}", "record", change)

    for number in range(1, 7):
        section(f"section {number} missing", lambda s, n=number: s.pop(n - 1) and None)
    section("sections swapped", lambda s: s.__setitem__(slice(2, 4), [s[3], s[2]]))
    section("section twice", lambda s: s.insert(2, [2, []]))
    section("section 7", lambda s: s.append([7, b"new"]))
    section("section 0", lambda s: s.insert(0, [0, b"x"]))
    section("no section", lambda s: bytes(4096 - 1) + b"\1")
    section("all zeros", lambda s: bytes(4096))
    section("a block of zeros more", lambda s: encode_plain(s) + bytes(4096))
    section("padding not zero", lambda s: encode_plain(s)[:-1] + b"\1")
    for count in (31, 33, 0):
        section(f"anchor key of {count} bytes", lambda s, c=count: s[4].__setitem__(1, bytes([1]) * c))
    for count in (71, 73):
        section(f"audit of {count} bytes", lambda s, c=count: s[5].__setitem__(1, bytes([1]) * c))
    for name, value in [("2^62", 2 ** 62), ("2^64 - 1", 2 ** 64 - 1)]:
        section(f"audit sequence {name}", lambda s, v=value: audit_sequence(s, v))
    for name, count in [("one byte too long", 4090), ("4 GiB", 0xFFFFFFFF), ("2 GiB", 0x80000000)]:
        section(f"section {name}", lambda s, c=count: put_in(encode_plain(s), 2, struct.pack("<I", c)))
    kit.add("ok: unread 1025 grants", "ok", payload=grants(kit, 1025), seal="all")


def audit_sequence(sections, value):
    body = sections[5][1]
    sections[5][1] = body[:32] + struct.pack("<Q", value) + body[40:]


def put_in(data, at, value):
    return data[:at] + value + data[at + len(value):]


def records(kit):
    def raw(name, section, change):
        def apply(s):
            rows = s[section - 1][1]
            rows[0] = change(rows[0])
        kit.payload(f"record: {name}", "record", apply)

    def encoded(record):
        return b"".join(encode_field(*pair) for pair in record)

    raw("fields swapped", LOGIN, lambda r: encoded([r[0], r[2], r[1]] + r[3:]))
    raw("field twice", LOGIN, lambda r: encoded(r[:2] + r[1:]))
    raw("field 0", LOGIN, lambda r: encode_field(0, b"x") + encoded(r))
    raw("field 13", LOGIN, lambda r: encoded(r) + encode_field(13, b"x"))
    raw("field cut", LOGIN, lambda r: encoded(r)[:-1])
    raw("field head cut", LOGIN, lambda r: encoded(r) + b"\x0d\0\1")
    raw("field of 4 GiB", LOGIN, lambda r: put_in(encoded(r), 2, b"\xff\xff\xff\xff"))
    raw("empty record", LOGIN, lambda r: b"")
    def too_long(s):
        s[0][1] = put_in(b"".join(map(encode_record, s[0][1])), 0, struct.pack("<I", 4000))
    kit.payload("record: record longer than its section", "record", too_long)
    kit.payload("record: bytes after the last record", "record",
                lambda s: s[1].__setitem__(1, b"".join(map(encode_record, s[1][1])) + b"\1\0\0"))
    kit.payload("ok: unread bytes after the last setting", "ok",
                lambda s: s[2].__setitem__(1, b"".join(map(encode_record, s[2][1])) + b"\1\0\0"))
    for section, name, tags in [(LOGIN, "login", range(1, 12)), (PIN, "pin", (1, 2, 3))]:
        for tag in tags:
            kit.record(f"record: {name} without field {tag}", "record", section, tag, None)
    for section, name, tags in [(SETTING, "setting", (1, 2)), (GRANT, "grant", range(1, 8))]:
        for tag in tags:
            kit.record(f"ok: unread {name} without field {tag}", "ok", section, tag, None)


def logins(kit):
    for count in (0, 15, 17):
        kit.record(f"record: login id of {count} bytes", "record", LOGIN, 1, bytes([9]) * count)
    for tag, count in [(7, 3), (7, 5), (8, 7), (8, 4), (9, 9), (10, 8), (10, 2)]:
        kit.record(f"record: login field {tag} of {count} bytes", "record", LOGIN, tag, bytes(count))
    for name, value in [("2^62", 2 ** 62), ("2^64 - 1", 2 ** 64 - 1)]:
        kit.record(f"record: login revision {name}", "record", LOGIN, 8, struct.pack("<Q", value))
    kit.record("record: login without a name", "record", LOGIN, 2, b"")
    kit.record("record: login policy", "record", LOGIN, 7, b"\1\0\0\0")
    for tag in (2, 3, 4, 5):
        kit.record(f"record: field {tag} is no UTF-8", "record", LOGIN, tag, b"a\xff")
        kit.record(f"record: field {tag} of 4097 bytes", "record", LOGIN, tag, b"a" * 4097)
    kit.record("record: surrogate in a name", "record", LOGIN, 2, b"\xed\xa0\x80")
    kit.record("record: overlong letter in a name", "record", LOGIN, 2, b"\xc1\x81")
    for name, value in [("empty", b""), ("of 65 letters", b"a" * 65), ("with a capital", b"Office"),
                        ("with a dot", b"a.b"), ("with a zero", b"a\0")]:
        kit.record(f"record: endpoint id {name}", "record", LOGIN, 6, value)
    kit.record("record: login without a pin", "record", LOGIN, 6, b"nowhere")
    kit.payload("record: login id twice", "record", lambda s: field(s[0][1][1], 1, s[0][1][0][0][1]))
    kit.payload("record: login name twice", "record", lambda s: field(s[0][1][1], 2, s[0][1][0][1][1]))

    def equivalent(s):
        field(s[0][1][0], 2, "caf\u00e9".encode())
        field(s[0][1][1], 2, "cafe\u0301".encode())
    kit.payload("record: login name twice in two normal forms", "record", equivalent)
    for count in (0, 48, 48 + 255, 48 + 257, 48 + 66 * 256):
        kit.record(f"record: sealed password of {count} bytes", "record", LOGIN, 11, bytes([1]) * count)
        kit.record(f"ok: unread field 12 of {count} bytes", "ok", LOGIN, 12, bytes([1]) * count)


def pins(kit):
    spki = bytes([3, 32, 0]) + bytes(32)
    four = bytes([4, 0, 10, 0, 0, 1])
    port = bytes([2, 0, 0x91, 0x1F])
    for name, value in [("empty", b""), ("of tier 2", bytes([2]) + spki[1:]), ("of tier 4", bytes([4]) + spki[1:]),
                        ("cut", spki[:-1]), ("with a byte more", spki + b"\0"),
                        ("of 31 bytes", bytes([3, 31, 0]) + bytes(31)),
                        ("with two fields of tier 3", spki + port), ("without a port", bytes([1]) + four),
                        ("with an address of 5 bytes", bytes([1, 5, 0]) + bytes(5) + port),
                        ("with a port of 1 byte", bytes([1]) + four + bytes([1, 0, 7])),
                        ("with three fields", bytes([1]) + four + port + port),
                        ("with no field", bytes([0])), ("of tier 0 with a key", bytes([0]) + spki[1:])]:
        kit.record(f"record: pin {name}", "record", PIN, 2, value)
    kit.record("record: pin flag 4", "record", PIN, 3, b"\x04\0\0\0")
    kit.record("record: pin flag 2^31", "record", PIN, 3, b"\0\0\0\x80")
    kit.record("record: pin flags of 3 bytes", "record", PIN, 3, bytes(3))
    for count in (0, 31, 33):
        kit.record(f"record: network id of {count} bytes", "record", PIN, 4, bytes(count))
    kit.payload("record: endpoint twice", "record", lambda s: s[1][1].append(s[1][1][0]))
    kit.payload("record: pin with field 5", "record", lambda s: s[1][1][0].append([7, b"x"]))
    for name, fields in [("a name alone", [[5, b"x"]]), ("a URL alone", [[6, b"x"]]),
                         ("a name of 4097 bytes", [[5, bytes(4097)], [6, b"x"]]),
                         ("a URL that is no UTF-8", [[5, b"x"], [6, b"\x80"]])]:
        kit.payload(f"record: pin with {name}", "record", lambda s, fields=fields: s[1][1][0].extend(fields))


def settings_and_grants(kit):
    kit.record("ok: unread setting without a name", "ok", SETTING, 1, b"")
    kit.record("ok: unread setting of 4097 bytes", "ok", SETTING, 2, bytes(4097))
    kit.record("ok: unread setting's name is no UTF-8", "ok", SETTING, 1, b"\x80")
    kit.payload("ok: unread setting twice", "ok", lambda s: s[2][1].append(s[2][1][0]))
    for tag, count in [(1, 15), (1, 17), (2, 15), (5, 3), (6, 7), (7, 9)]:
        kit.record(f"ok: unread grant field {tag} of {count} bytes", "ok", GRANT, tag, bytes(count))
    kit.record("ok: unread grant flag 2", "ok", GRANT, 5, b"\x02\0\0\0")
    kit.record("ok: unread grant's service is no UTF-8", "ok", GRANT, 3, b"\xf8")
    kit.record("ok: unread grant's methods of 4097 bytes", "ok", GRANT, 4, b"m" * 4097)
    kit.payload("ok: unread grant twice", "ok", lambda s: s[3][1].append(s[3][1][0]))


def seals(kit):
    kit.payload("entry: tag", "entry", lambda s: flip_last(s[0][1][0]))
    kit.payload("entry: seals swapped", "entry", swap_seals)
    kit.record("entry: another revision", "entry", LOGIN, 8, struct.pack("<Q", 2))
    kit.record("entry: another pin", "entry", PIN, 2, bytes([3, 32, 0]) + bytes([0x77]) * 32)
    kit.sealed("entry: sealed for another login", "entry", secret=b"x", login=bytes(16))
    kit.sealed("entry: sealed for another store", "entry", secret=b"x", store=bytes(16))
    kit.sealed("entry: password sealed as envelope", "entry", secret=b"x", field=2)
    kit.sealed("ok: unread envelope sealed as password", "ok", index=1, tag=12, which=2, secret=b"x", field=1)
    kit.sealed("entry: sealed for another revision", "entry", secret=b"x", revision=bytes(8))
    kit.sealed("entry: sealed for another pin", "entry", secret=b"x", pin=bytes([3, 32, 0]) + bytes(32))
    kit.sealed("entry: padding not zero", "entry", plain=b"\1\0x" + bytes(252) + b"\1")
    kit.sealed("entry: a block too many", "entry", plain=b"\1\0x" + bytes(509))
    kit.sealed("entry: length beyond the block", "entry", plain=struct.pack("<H", 255) + bytes(254))
    kit.sealed("entry: secret above 16 KiB", "entry", plain=struct.pack("<H", 16385) + bytes(16640 - 2))


def authority(host, record=None):
    """A pin of an authority. `record` replaces the record that represents it."""
    stands_for_it = hashlib.sha256(b"\3\2\0ca" + struct.pack("<H", len(host)) + host).digest()
    return [[1, b"vouched"], [2, record or b"\3\x20\0" + stands_for_it], [3, bytes(4)], [7, host]]


def extras(*pairs):
    texts = [text for pair in pairs for text in pair]
    return b"".join(struct.pack("<H", len(text)) + text for text in texts)


def minor_1(kit):
    def pinned(name, outcome, host, record=None, minor=1):
        kit.payload(name, outcome, lambda s: s[1][1].append(authority(host, record)), minor)

    def login(name, outcome, tag, value, minor=1):
        kit.record(name, outcome, LOGIN, tag, value, minor=minor)

    pinned("ok: an authority's pin", "ok", b"db.example.com")
    pinned("ok: an authority's pin for an address", "ok", b"2001:db8::7")
    pinned("ok: an authority's pin for a host of 253 bytes", "ok", b"a" * 253)
    pinned("ok: an authority's pin in a later minor", "ok", b"db.example.com", minor=2)
    for name, host in [("empty", b""), ("of 254 bytes", b"a" * 254), ("with a capital", b"Db.example.com"),
                       ("with a space", b"db example"), ("that is no UTF-8", b"db\xff")]:
        pinned(f"record: authority's host {name}", "record", host)
    pinned("record: authority beside another key", "record", b"db.example.com", b"\3\x20\0" + bytes(32))
    pinned("record: authority beside plain HTTP", "record", b"db.example.com", b"\1\4\0\xc0\xa8\7\x14\2\0\xa3\x1f")
    pinned("record: authority in minor 0", "record", b"db.example.com", minor=0)

    login("ok: the other user key", "ok", 13, b"User")
    for name, value in [("that is the usual one", b"User Id"), ("in small letters", b"user"), ("empty", b"")]:
        login(f"record: user key {name}", "record", 13, value)
    login("record: user key in minor 0", "record", 13, b"User", minor=0)

    one = extras((b"Level", b"reader"))
    login("ok: an extra key", "ok", 14, one)
    login("ok: an extra key of 64 bytes, its value of 1024", "ok", 14, extras((b"k" * 64, b"v" * 1024)))
    login("ok: 16 extra keys", "ok", 14, extras(*[(b"Key %d" % index, b"\xc3\xa9") for index in range(16)]))
    for name, value in [("none", b""), ("17", extras(*[(b"%d" % index, b"x") for index in range(17)])),
                        ("one without a value", extras((b"Level",))),
                        ("one with an empty value", one + extras((b"a", b""))),
                        ("an empty one", extras((b"", b"x"))), ("one of 65 bytes", extras((b"k" * 65, b"x"))),
                        ("a value of 1025 bytes", extras((b"k", b"v" * 1025))),
                        ("one with a sign", extras((b"a=b", b"x"))),
                        ("a value that is no UTF-8", extras((b"k", b"\xff"))), ("one twice", one + one),
                        ("one twice in two cases", one + extras((b"LEVEL", b"x"))), ("one cut", one[:-1]),
                        ("one with a byte more", one + b"\0")]:
        login(f"record: extra keys: {name}", "record", 14, value)
    login("record: extra key in minor 0", "record", 14, one, minor=0)


def minor_2(kit):
    def pinned(name, outcome, interface, address="fe80" + 13 * "00" + "01", tier=1, minor=2):
        address = bytes.fromhex(address)
        record = bytes([tier, len(address), 0]) + address + bytes([2, 0, 0x91, 0x1F])
        fields = [[1, b"six"], [2, record], [3, b"\1\0\0\0"], [8, interface]]
        kit.payload(name, outcome, lambda s: s[1][1].append(fields), minor)

    pinned("ok: a link-local pin with its interface", "ok", b"eth0")
    pinned("ok: a link-local pin with an interface of 15 bytes", "ok", b"veth@if-7.100_x")
    pinned("ok: the last link-local address with its interface", "ok", b"w", "febf" + 14 * "ff")
    pinned("ok: a link-local pin with its interface in a later minor", "ok", b"eth0", minor=3)
    for name, value in [("empty", b""), ("of 16 bytes", b"i" * 16), ("with a slash", b"a/b"), ("with a colon", b"a:b"),
                        ("with a space", b"a b"), ("with a control character", b"a\n"), ("that is no ASCII", b"\xc3\xa9")]:
        pinned(f"record: interface {name}", "record", value)
    pinned("record: interface of a global address", "record", b"eth0", "20010db8" + 11 * "00" + "01")
    pinned("record: interface of a site-local address", "record", b"eth0", "fec0" + 13 * "00" + "01")
    pinned("record: interface of an IPv4 address", "record", b"eth0", "fe800001")
    pinned("record: interface of tier 0", "record", b"eth0", tier=0)
    kit.record("record: interface of a TLS key", "record", PIN, 8, b"eth0", minor=2)
    for minor in (0, 1):
        pinned(f"record: interface in minor {minor}", "record", b"eth0", minor=minor)


def flip_last(record):
    value = dict(map(tuple, record))[11]
    field(record, 11, value[:-1] + bytes([value[-1] ^ 1]))


def swap_seals(sections):
    first, second = sections[0][1]
    one, two = (dict(map(tuple, record))[11] for record in (first, second))
    field(first, 11, two)
    field(second, 11, one)


def major_2(kit):
    def login(name, outcome, words, version=(2, 0), policy=1, has_password=False, rest=b""):
        def change(sections):
            record = sections[0][1][0]
            if not has_password:
                field(record, 11, None)
            field(record, 7, struct.pack("<I", policy))
            field(record, 15, b"".join(struct.pack("<H", len(word)) + word for word in words) + rest)
        kit.payload(name, outcome, change, major=version[0], minor=version[1])

    kit.payload("ok: major 2 without need", "ok", lambda sections: None, major=2)
    kit.payload("ok: a later minor of major 2", "ok", lambda sections: None, major=2, minor=1)
    command = [b"pass", b"show", "b\u00fcro".encode(), b""]
    login("ok: a command", "ok", command)
    login("ok: a command that is not agreed to", "ok", command, policy=0)
    login("ok: a command in a later minor", "ok", command, version=(2, 1))
    login("ok: a program by its path", "ok", [b"/usr/bin/op"])
    login("ok: the longest command", "ok", [b"a"] * 31 + [b"b" * (4096 - 31 * 3 - 2)])
    for version in ((1, 0), (1, 2), (1, 3)):
        login(f"record: a command in {version[0]}.{version[1]}", "record", command, version=version)
    login("record: a command and a password", "record", command, has_password=True)
    login("record: another policy of a command", "record", command, policy=2)
    kit.payload("record: neither command nor password", "record",
                lambda sections: field(sections[0][1][0], 11, None), major=2)
    kit.payload("record: policy of a password in major 2", "record",
                lambda sections: field(sections[0][1][0], 7, struct.pack("<I", 1)), major=2)
    login("record: a command without a program", "record", [])
    login("record: an empty program", "record", [b"", b"x"])
    login("record: a relative path as a program", "record", [b"bin/pass"])
    login("record: too many arguments", "record", [b"a"] * 33)
    login("record: too long a command", "record", [b"a"] * 31 + [b"b" * (4097 - 31 * 3 - 2)])
    login("record: an argument with NUL", "record", [b"pass", b"a\0b"])
    login("record: an argument that is no text", "record", [b"pass", b"\xff"])
    login("record: half a length in a command", "record", [b"pass"], rest=b"\1")
    login("record: an argument that is cut", "record", [b"pass"], rest=b"\5\0abcd")

    def pinned(name, outcome, of, version=(2, 0), flags=4, place=True, itself=False):
        def change(sections):
            first = dict(map(tuple, sections[1][1][0]))
            own = first[1] if itself else b"alternate-1"
            record = [[1, own], [2, first[2]], [3, struct.pack("<I", flags)]]
            if place:
                record += [[5, b"office"], [6, b"http://10.0.0.9:7099/bin"]]
            if of is not None:
                record.append([9, first[1] if of == "first" else of])
            sections[1][1].append(record)
        kit.payload(name, outcome, change, major=version[0], minor=version[1])

    pinned("ok: an alternate address", "ok", "first", flags=0)
    pinned("ok: an alternate address with the same database", "ok", "first", flags=5)
    pinned("ok: an alternate address in a later minor", "ok", "first", version=(2, 3), flags=12)
    pinned("record: an alternate address in 1.2", "record", "first", version=(1, 2), flags=0)
    pinned("record: an alternate address without a URL", "record", "first", place=False)
    pinned("record: the same database as none", "record", None)
    pinned("record: an alternate of no endpoint", "record", b"nowhere")
    pinned("record: an alternate of itself", "record", b"alternate-1")
    pinned("record: an alternate with the ID of its endpoint", "record", "first", itself=True)
    pinned("record: an alternate of a malformed endpoint", "record", b"A")
    pinned("record: another flag of an alternate", "record", "first", flags=8)
