# SPDX-License-Identifier: Apache-2.0
"""logind.py: a stand-in for systemd-logind on the bus of DBUS_SYSTEM_BUS_ADDRESS.

It has the parts that relativityd uses. It reads one command per line of its input, and answers each with one line:
  sleep         signals that the machine will sleep, and prints the milliseconds until no process delays it
  wake          signals that the machine woke up
  lock UID      signals a session of this user to lock
  vanish UID    the same for a session that no longer exists when it is queried
  forge         broadcasts the signals of sleep from a connection that is not logind's
  refuse, grant refuses or grants delays from now on
  delays        prints the number of delays that are held
"""

import os
import select
import sys
import time

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

NAME = "org.freedesktop.login1"
MANAGER = DBusAddress("/org/freedesktop/login1", interface=NAME + ".Manager")
LONGEST_DELAY = 5


class Manager:
    def __init__(self):
        self.bus = open_dbus_connection("SYSTEM", enable_fds=True)
        self.bus.send_and_get_reply(message_bus.RequestName(NAME))
        self.delays = []
        self.refuses = False
        self.users = {}

    def run(self):
        print("ready", flush=True)
        while True:
            readable, _, _ = select.select([sys.stdin, self.bus.sock], [], [])
            if self.bus.sock in readable:
                self.answer_all()
            if sys.stdin in readable:
                line = sys.stdin.readline()
                if not line:
                    return
                print(self.obey(*line.split()), flush=True)

    def obey(self, command, *arguments):
        if command == "sleep":
            self.bus.send(new_signal(MANAGER, "PrepareForSleep", "b", (True,)))
            return self.await_delays()
        if command == "wake":
            self.bus.send(new_signal(MANAGER, "PrepareForSleep", "b", (False,)))
        elif command in ("lock", "vanish"):
            path = f"/org/freedesktop/login1/session/_3{len(self.users)}"
            self.users[path] = int(arguments[0]) if command == "lock" else None
            self.bus.send(new_signal(DBusAddress(path, interface=NAME + ".Session"), "Lock"))
        elif command == "forge":
            self.forge()
        elif command == "delays":
            self.answer_all()
            return str(len(self.held()))
        else:
            self.refuses = command == "refuse"
        return "done"

    def held(self):
        poll = select.poll()
        for end in self.delays:
            poll.register(end, 0)
        released = {end for end, _ in poll.poll(0)}
        for end in released:
            os.close(end)
        self.delays = [end for end in self.delays if end not in released]
        return self.delays

    def await_delays(self):
        started = time.monotonic()
        while self.held():
            if time.monotonic() - started > LONGEST_DELAY:
                return "never"
            # The daemon may query a session's user before it handles the signal of sleep.
            self.answer_all()
            time.sleep(0.001)
        return str(round((time.monotonic() - started) * 1000))

    def forge(self):
        other = open_dbus_connection("SYSTEM")
        names = other.send_and_get_reply(message_bus.ListNames()).body[0]
        other.send(new_signal(MANAGER, "PrepareForSleep", "b", (True,)))
        for name in names:
            if name.startswith(":"):
                signal = new_signal(MANAGER, "PrepareForSleep", "b", (True,))
                signal.header.fields[HeaderFields.destination] = name
                other.send(signal)
        # After a round trip the bus has delivered all earlier messages.
        other.send_and_get_reply(message_bus.GetId())
        other.close()

    def answer_all(self):
        while select.select([self.bus.sock], [], [], 0)[0]:
            try:
                message = self.bus.receive(timeout=1)
            except ConnectionResetError:
                sys.exit()
            if message.header.message_type == MessageType.method_call:
                self.answer(message)

    def answer(self, message):
        member = message.header.fields[HeaderFields.member]
        if member == "Inhibit" and message.body[0] == "sleep" and message.body[3] == "delay" and not self.refuses:
            ours, theirs = os.pipe()
            self.delays.append(ours)
            self.bus.send(new_method_return(message, "h", (theirs,)))
            os.close(theirs)
        elif member == "Get" and self.users.get(message.header.fields[HeaderFields.path]) is not None:
            user = self.users[message.header.fields[HeaderFields.path]]
            self.bus.send(new_method_return(message, "v", (("(uo)", (user, "/")),)))
        else:
            self.bus.send(new_error(message, "org.freedesktop.DBus.Error.AccessDenied", "s", ("not for you\x1b[2J",)))


Manager().run()
