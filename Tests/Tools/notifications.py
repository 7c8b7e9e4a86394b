# SPDX-License-Identifier: Apache-2.0
"""notifications.py: a stand-in for the notification service of a desktop, on the bus of DBUS_SESSION_BUS_ADDRESS.

It prints "ready", and for each call of Notify one JSON object with its arguments and the number that it returned. Each
call with the option --silent is left without a reply.
"""

import json
import sys

from jeepney import HeaderFields, MessageType, message_bus, new_error, new_method_return
from jeepney.io.blocking import open_dbus_connection

NAME = "org.freedesktop.Notifications"
ARGUMENTS = ["application", "replaces", "icon", "summary", "body", "actions", "hints", "time"]

bus = open_dbus_connection("SESSION")
bus.send_and_get_reply(message_bus.RequestName(NAME))
print("ready", flush=True)
number = 0
while True:
    message = bus.receive()
    if message.header.message_type != MessageType.method_call:
        continue
    fields = message.header.fields
    if fields[HeaderFields.member] != "Notify" or fields.get(HeaderFields.signature) != "susssasa{sv}i":
        bus.send(new_error(message, "org.freedesktop.DBus.Error.UnknownMethod"))
        continue
    call = dict(zip(ARGUMENTS, message.body))
    number = call["replaces"] or number + 1
    print(json.dumps(call | {"number": number}), flush=True)
    if "--silent" not in sys.argv:
        bus.send(new_method_return(message, "u", (number,)))
