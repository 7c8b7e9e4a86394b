#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An independent reader of the audit log, written only from docs/audit.md.

read_audit.py KEY-HEX KNOWN-SEQ KNOWN-TAG-HEX FILE...

The files are ordered, oldest first. KNOWN-SEQ and KNOWN-TAG-HEX are the head in the vault, or 0 and 64 zeros. Prints a
report as JSON. Exit status: 0 intact, 8 changed.
"""
import hashlib
import hmac
import json
import re
import sys

FORM = re.compile(rb'\{"seq":([0-9]+),"event":"[^"]*".*,"prev":"([0-9a-f]{64})","proof":"(hmac|hash)","tag":"([0-9a-f]{64})"\}',
                  re.DOTALL)
MAXIMUM = 2048


class Fault(Exception):
    pass


def require(condition, what):
    if not condition:
        raise Fault(what)


def read(paths):
    """All complete lines, each with its file and its number in the file."""
    for path in paths:
        with open(path, "rb") as file:
            parts = file.read().split(b"\n")
        for number, line in enumerate(parts[:-1], 1):
            yield path, number, line


def right_tag(line, proof, tag, key):
    tagged = line[:-len('","tag":""}') - 64 + 1]
    made = hmac.new(key, tagged, hashlib.sha256) if proof == "hmac" else hashlib.sha256(tagged)
    return hmac.compare_digest(made.hexdigest(), tag)


def start_of_vault(lines, key):
    for index in range(len(lines) - 1, -1, -1):
        if lines[index]["event"] in ("vault.made", "vault.restored") and lines[index]["proof"] == "hmac" and right_tag(
                lines[index]["bytes"], "hmac", lines[index]["tag"], key):
            return max(0, index - 1)
    return 0


def check(paths, key, known, known_tag):
    report = {"lines": 0, "keyed": 0, "unproved": 0, "lost": 0, "unclean": [], "fault": None, "file": None, "line": None}
    lines = []
    place = (paths[-1] if paths else None, 0)
    try:
        for path, number, line in read(paths):
            place = (path, number)
            form = FORM.fullmatch(line)
            require(form and len(line) <= MAXIMUM, "no line of the log")
            try:
                members = json.loads(line.decode("utf-8"))
            except (UnicodeDecodeError, ValueError):
                raise Fault("no JSON")
            require(members["seq"] < 1 << 62, "no number of a line")
            lines.append({**members, "bytes": line, "place": place})
        report["lines"] = len(lines)
        start = start_of_vault(lines, key)
        report["unproved"] = max((index + 1 for index in range(start) if lines[index]["proof"] == "hmac"), default=0)
        tags = {line["seq"]: line["tag"] for line in lines}
        rotated = [line["first"] for line in lines if line["event"] == "log.rotated" and line["place"][1] == 1]
        for index, line in enumerate(lines):
            place = line["place"]
            if index >= start or line["proof"] == "hash":
                require(right_tag(line["bytes"], line["proof"], line["tag"], key), "wrong tag")
            if index == 0:
                require(line["seq"] <= (rotated[-1] if rotated else 1), "lines before it are missing")
                require(line["seq"] != 1 or line["prev"] == "0" * 64, "the first line follows another")
            else:
                before = lines[index - 1]
                require(line["seq"] == before["seq"] + 1, "lines are missing or out of order")
                require(line["prev"] == before["tag"], "the line before it was replaced")
                if line["proof"] == "hash" and before["proof"] == "hmac" and before["event"] != "vault.locked" and index >= start:
                    report["unclean"].append(before["seq"])
            if index < start:
                continue
            report["keyed"] += line["proof"] == "hmac"
            if line["event"] == "log.lost":
                report["lost"] += line["events"]
            if line["event"] == "log.bound" and line["proof"] == "hmac":
                report["unproved"] += line["unproved"]
                require(tags.get(line["known"], line["knownTag"]) == line["knownTag"], "the vault knew another line")
        if known:
            last = lines[-1]["seq"] if lines else 0
            require(known <= last, "lines at the end are missing")
            require(tags.get(known, known_tag) == known_tag, "the vault knows another line")
    except Fault as fault:
        report.update(fault=str(fault), file=place[0], line=place[1])
    return report


def main():
    key, known, known_tag, *paths = sys.argv[1:]
    report = check(paths, bytes.fromhex(key), int(known), known_tag)
    print(json.dumps(report))
    return 0 if report["fault"] is None else 8


if __name__ == "__main__":
    sys.exit(main())
