# SPDX-License-Identifier: Apache-2.0
"""data_abstract_client.py URL USER DOMAIN SCHEMA TABLE: logs in, reads the schema and a table, and logs out.

An independent Data Abstract client, written according to docs/wire.md without code of relativityd. The password is the
first line of its input. Prints a line for each call; the lines are the same for any path to the same server. Exits with
1 if a call fails, except by an exception of the server.
"""

import http.client
import secrets
import struct
import sys
import urllib.parse
import zlib


class ServerException(Exception):
    def __init__(self, class_name, text):
        super().__init__(f"{class_name}: {text}")
        self.class_name = class_name


class Reader:
    """The values of a message, in order."""

    def __init__(self, data):
        self.data = data
        self.place = 0

    def take(self, count):
        if not 0 <= count <= len(self.data) - self.place:
            raise ValueError(f"{count} bytes wanted at {self.place} of {len(self.data)}")
        self.place += count
        return self.data[self.place - count : self.place]

    def integer(self):
        return struct.unpack("<i", self.take(4))[0]

    def string(self):
        return self.take(self.integer()).decode("utf-8")

    def boolean(self):
        return self.integer() != 0

    def binary(self):
        return self.take(self.integer()) if self.take(1) == b"\1" else None


def integer(value):
    return struct.pack("<i", value)


def string(text):
    data = text.encode("utf-8")
    return integer(len(data)) + data


def array(elements):
    return b"\1" + integer(len(elements)) + b"".join(elements)


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


class Server:
    """A client of a server. Its ClientID identifies its session."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.path = parts.path
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.connection = kind(parts.hostname, parts.port, timeout=30)
        self.client_id = secrets.token_bytes(16)

    def call(self, service, method, parameters=b""):
        header = b"RO107" + bytes(7) + self.client_id
        body = header + string(service) + string(method) + parameters
        self.connection.request("POST", self.path, body, {"Content-Type": "application/octet-stream"})
        response = self.connection.getresponse()
        reply = response.read()
        if not reply.startswith(b"RO107") or len(reply) < 28:
            raise ValueError(f"HTTP status {response.status} and no message")
        if reply[12:28] != self.client_id:
            raise ValueError("the reply is for another client")
        values = Reader(zlib.decompress(reply[28:]) if reply[5] == 1 else reply[28:])
        if reply[6] == 1:
            raise ServerException(values.string(), values.string())
        values.string(), values.string()
        return values

    def close(self):
        self.connection.close()


def table_request(most=-1, include_schema=True):
    # The fields, ordered by name: IncludeSchema, MaxRecords, Parameters, UserFilter.
    fields = integer(int(include_schema)) + integer(most) + array([]) + string("")
    return b"\1" + string("TableRequestInfo") + fields


def show(name, call):
    try:
        print(f"{name}: {call()}", flush=True)
    except ServerException as error:
        print(f"{name}: exception {error}", flush=True)


def main(url, user, domain, schema, table):
    password = sys.stdin.readline().rstrip("\n")
    login = f"User Id={quoted(user)};Password={quoted(password)};Domain={quoted(domain)};Schema={quoted(schema)}"
    server = Server(url)
    show("LoginEx", lambda: server.call("LoginService", "LoginEx", string(login)).boolean())
    show("GetSchema", lambda: server.call("DataService", "GetSchema", string("")).string())
    tables = array([string(table)]) + array([table_request()])
    show("GetData", lambda: (server.call("DataService", "GetData", tables).binary() or b"").hex())
    show("no such method", lambda: server.call("DataService", "NoSuchMethod").string())
    show("Logout", lambda: "done" if server.call("LoginService", "Logout") else "")
    server.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
