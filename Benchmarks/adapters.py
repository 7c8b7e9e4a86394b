# SPDX-License-Identifier: Apache-2.0
"""adapters.py SOCKET PID ENDPOINT PORT FORWARDER CALLER ROUNDS ADAPTERS: measures the cost of adapters.

Calls the daemon PID at SOCKET, alternately for its status and for another adapter to ENDPOINT, which has a login.
Then runs CALLER (peers/adapter_calls), which posts the same call to an adapter, to FORWARDER (the socket of
peers/forwarder) and directly to the server at PORT. Then opens ADAPTERS adapters and measures the daemon's memory.
Prints one JSON object per line, with times in nanoseconds.
"""

import json
import os
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from idle import memory


class Daemon:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)

    def call(self, method, **parameters):
        """Return the reply's parameters and the duration of the call."""
        request = json.dumps({"method": method, "parameters": parameters}).encode() + b"\0"
        start = time.perf_counter_ns()
        self.socket.sendall(request)
        reply = b""
        while not reply.endswith(b"\0"):
            reply += self.socket.recv(65536)
        took = time.perf_counter_ns() - start
        answer = json.loads(reply[:-1])
        if "error" in answer:
            raise RuntimeError(answer)
        return answer["parameters"], took

    def open(self, endpoint):
        reply, took = self.call("org.relativityd.Broker.Open", endpoint=endpoint)
        return reply["adapter"], took

    def close(self, adapter):
        self.call("org.relativityd.Broker.Close", adapter=adapter["id"])


def report(name, **fields):
    print(json.dumps({"name": name, **fields}), flush=True)


def handing_out(daemon, endpoint, rounds):
    opened, status = [], []
    for _ in range(rounds):
        status.append(daemon.call("org.relativityd.Manager.GetStatus")[1])
        adapter, took = daemon.open(endpoint)
        opened.append(took)
        daemon.close(adapter)
    report("adapter open", p50=statistics.median(opened))
    report("status", p50=statistics.median(status))


def calls(daemon, caller, places, rounds):
    """Alternate between the places, so that load on the machine affects all of them."""
    message = b"RO107" + bytes(7) + os.urandom(16)
    for value in (b"DASampleService", b"GetSchema", b""):
        message += struct.pack("<i", len(value)) + value
    with tempfile.NamedTemporaryFile() as file:
        file.write(message)
        file.flush()
        for callers in (1, 16):
            for _ in range(9):
                # The daemon closes a connection that is idle for a minute, and with it the adapter.
                daemon.call("org.relativityd.Manager.GetStatus")
                for name, place in places.items():
                    count = max(10, rounds // callers)
                    command = [caller, f"call by {callers}, {name}", place, str(callers), str(count), file.name]
                    print(subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="", flush=True)


def many(daemon, pid, endpoint, count):
    before = memory(pid)
    adapters = [daemon.open(endpoint)[0] for _ in range(count)]
    after = memory(pid)
    report("adapters", count=count, each=(after["Private_Dirty"] - before["Private_Dirty"]) / count)
    for adapter in adapters:
        daemon.close(adapter)


def main(path, pid, endpoint, port, forwarder, caller, rounds, count):
    daemon = Daemon(path)
    # While this adapter is open, its session exists, and each further adapter uses that session.
    first, _ = daemon.open(endpoint)
    handing_out(daemon, endpoint, int(rounds))
    calls(daemon, caller, {"adapter": first["socketPath"], "forwarder": forwarder, "direct": port}, int(rounds) // 3)
    many(daemon, int(pid), endpoint, int(count))
    daemon.close(first)


main(*sys.argv[1:])
