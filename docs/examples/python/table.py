#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a table into pandas and prints it: table.py ENDPOINT TABLE [PREDICATE]"""
import json, os, socket, sys, pandas

data = socket.socket(socket.AF_UNIX)
usual = os.environ.get("XDG_RUNTIME_DIR", "") + "/relativityd/data.sock"
data.connect(os.environ.get("RELATIVITYD_DATA_SOCKET") or usual)
query = dict(zip(["table", "where"], sys.argv[2:]), server={"endpoint": sys.argv[1]})
call = {"method": "org.relativityd.Data.Read", "parameters": query, "more": True}
data.sendall(json.dumps(call).encode() + b"\0")
fields, rows, reply, rest = [], [], {"continues": True}, b""
while reply.get("continues"):
    while b"\0" not in rest:
        rest += data.recv(1 << 16) or sys.exit("connection closed")
    frame, rest = rest.split(b"\0", 1)
    reply = json.loads(frame)
    "error" in reply and sys.exit(f"{reply['error']}: {reply['parameters']}")
    fields += reply["parameters"].get("fields", [])
    rows += reply["parameters"].get("rows", [])
print(pandas.DataFrame(rows, columns=[field["name"] for field in fields]).to_string())
