#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Follow the list of servers for as long as it takes, whatever becomes of the daemon.

    watch.py

Prints a line for each server that comes, changes or goes. Needs nothing but Python: Varlink is JSON with a NUL behind each
message. This is the recipe of docs/local-api.md: connect again when the connection ends, and ask to go on from the last
revision that was heard. The answer says whether that was possible, or has the whole list again.
"""

import json
import os
import socket
import time

PATH = os.environ.get("RELATIVITYD_SOCKET") or os.environ["XDG_RUNTIME_DIR"] + "/relativityd/relativityd.sock"


def replies(stream, method, parameters):
    """The parameters of each reply to one call; an error of the daemon is raised."""
    call = {"method": method, "parameters": parameters, "more": True}
    stream.sendall(json.dumps(call).encode() + b"\0")
    buffer = b""
    while True:
        while b"\0" not in buffer:
            piece = stream.recv(65536)
            if not piece:
                return
            buffer += piece
        frame, _, buffer = buffer.partition(b"\0")
        message = json.loads(frame)
        if "error" in message:
            raise RuntimeError(f'{message["error"]}: {message["parameters"].get("message")}')
        yield message["parameters"]
        if not message.get("continues"):
            return


class Watch:
    """What is known of the list, and the revision at which it was so."""

    def __init__(self):
        self.endpoints = {}
        self.revision = None

    def follow(self):
        """Until the connection ends."""
        with socket.socket(socket.AF_UNIX) as stream:
            stream.connect(PATH)
            since = {} if self.revision is None else {"since": self.revision}
            for news in replies(stream, "org.relativityd.Registry.Watch", since):
                self.apply(news)

    def apply(self, news):
        kind = news["kind"]
        if kind == "snapshot":
            # The whole truth: what is not in it has gone.
            before, self.endpoints = self.endpoints, {each["id"]: each for each in news["endpoints"]}
            for gone in before.keys() - self.endpoints.keys():
                self.show("removed", before[gone])
            for each in self.endpoints.values():
                if before.get(each["id"]) != each:
                    self.show("changed" if each["id"] in before else "added", each)
        elif kind == "resumed":
            print("resumed", flush=True)
        else:
            endpoint = news["endpoint"]
            if kind == "removed":
                self.endpoints.pop(endpoint["id"], None)
            else:
                self.endpoints[endpoint["id"]] = endpoint
            self.show(kind, endpoint)
        self.revision = news["revision"]

    @staticmethod
    def show(kind, endpoint):
        # Names are foreign text: ascii() keeps escape sequences off the terminal.
        print(kind, endpoint["id"], ascii(endpoint["name"]), endpoint["url"], flush=True)


def main():
    watch = Watch()
    pause = 0.1
    while True:
        try:
            watch.follow()
            pause = 0.1
        except OSError:
            # No daemon listens, or it has gone. With socket activation the next attempt starts it.
            pause = min(pause * 2, 10)
        except RuntimeError as error:
            # Too slow a reader, for one: what was missed comes with the next attempt.
            print(error, flush=True)
        # The pause before it connects again; while the connection lasts nothing sleeps.
        time.sleep(pause)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
