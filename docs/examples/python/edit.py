#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Changes a field by way of a pending set: edit.py ENDPOINT TABLE '{"KEYFIELD": VALUE}' FIELD VALUE"""
import json, os, socket, sys

data = socket.socket(socket.AF_UNIX)
usual = os.environ.get("XDG_RUNTIME_DIR", "") + "/relativityd/data.sock"
data.connect(os.environ.get("RELATIVITYD_DATA_SOCKET") or usual)
def call(method, **parameters):
    data.sendall(json.dumps({"method": "org.relativityd.Data." + method, "parameters": parameters}).encode() + b"\0")
    reply = b""
    while not reply.endswith(b"\0"):
        reply += data.recv(1 << 16) or sys.exit("connection closed")
    error, result = json.loads(reply[:-1]).get("error"), json.loads(reply[:-1])["parameters"]
    return sys.exit(f"{error}: {result}") if error else result

server, (table, key, field, value) = {"endpoint": sys.argv[1]}, sys.argv[2:]
edit = {"action": "update", "table": table, "key": json.loads(key), "values": {field: value}}
kept = call("Edit", server=server, edits=[edit], pending="example")
print(json.dumps(kept["changes"][0]["old"]), "->", json.dumps(kept["changes"][0]["new"]))
print(call("Apply", server=server, pending="example", revision=kept["revision"])["changes"][0]["outcome"])
