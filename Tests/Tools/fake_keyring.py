# SPDX-License-Identifier: Apache-2.0
"""fake_keyring.py ADDRESS FAULT-FILE: a Secret Service on the bus at ADDRESS with the fault that the file names.

The file contains one word, which is read again at each call; `none` means no fault. Items are stored in
FAULT-FILE.items, which outlives this program. Prints `ready` when it owns the name. Exits at the end of its input.

The specification of the service: https://specifications.freedesktop.org/secret-service/
"""

import hashlib
import hmac
import json
import os
import secrets
import sys
import threading

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_call, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

ROOT = "/org/freedesktop/secrets"
DEFAULT = ROOT + "/collection/login"
OTHER = ROOT + "/collection/session"
PROMPT = ROOT + "/prompt/1"
SESSION = ROOT + "/session/1"
INTERFACE = "org.freedesktop.Secret."
ALGORITHM = "dh-ietf1024-sha256-aes128-cbc-pkcs7"
# The second group of RFC 2409.
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD"
    "EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED"
    "EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE65381FFFFFFFFFFFFFFFF",
    16,
)


class Refused(Exception):
    """An error reply: name and text."""


def derive(shared):
    """HKDF-SHA-256 without salt and info, 16 bytes."""
    pseudorandom = hmac.new(bytes(32), shared, hashlib.sha256).digest()
    return hmac.new(pseudorandom, b"\x01", hashlib.sha256).digest()[:16]


class Service:
    def __init__(self, connection, fault_file):
        self.connection = connection
        self.fault_file = fault_file
        self.store = fault_file + ".items"
        self.key = None
        # Path: attributes and value.
        self.items = {}
        if os.path.exists(self.store):
            with open(self.store, encoding="ascii") as file:
                self.items = {path: (kept, bytes.fromhex(value)) for path, (kept, value) in json.load(file).items()}

    def save(self):
        with open(self.store, "w", encoding="ascii") as file:
            json.dump({path: (kept, value.hex()) for path, (kept, value) in self.items.items()}, file)

    @property
    def fault(self):
        with open(self.fault_file, encoding="ascii") as file:
            return file.read().strip()

    # Encryption of secrets on the bus

    def encrypt(self, value):
        if self.key is None:
            return (SESSION, b"", value, "application/octet-stream")
        iv = secrets.token_bytes(16)
        pad = 16 - len(value) % 16
        encryptor = Cipher(algorithms.AES(self.key), modes.CBC(iv)).encryptor()
        return (SESSION, iv, encryptor.update(value + bytes([pad]) * pad) + encryptor.finalize(),
                "application/octet-stream")

    def decrypt(self, secret):
        _, iv, value, _ = secret
        decryptor = Cipher(algorithms.AES(self.key), modes.CBC(iv)).decryptor()
        padded = decryptor.update(value) + decryptor.finalize()
        return padded[: -padded[-1]]

    def given(self, value):
        """The value that is returned for a stored one."""
        return {"wrong-bytes": bytes(len(value)), "wrong-length": value[:-1], "too-large": bytes(2_000),
                "not-kept": bytes(len(value)), "empty": b""}.get(self.fault, value)

    # The methods

    def open_session(self, algorithm, given):
        if algorithm == "plain":
            self.key = None
            return "vo", (("s", ""), SESSION)
        if self.fault == "plain-session":
            raise Refused("org.freedesktop.DBus.Error.NotSupported", "no such algorithm")
        private = secrets.randbelow(PRIME - 2) + 1
        shared = pow(int.from_bytes(given[1], "big"), private, PRIME)
        self.key = derive(shared.to_bytes(128, "big"))
        return "vo", (("ay", pow(2, private, PRIME).to_bytes(128, "big")), SESSION)

    def search_items(self, attributes):
        if self.fault == "error-reply":
            raise Refused("org.freedesktop.DBus.Error.Failed", "the disk is \x1b[31mfull")
        found = [path for path, (kept, _) in self.items.items() if attributes.items() <= kept.items()]
        if self.fault in ("hidden", "deleted"):
            found = []
        elif self.fault == "duplicates":
            # A second item with the same attributes, as another program could make it.
            found += [path + "_twin" for path in found]
        return "aoao", ([], found) if self.is_locked else (found, [])

    @property
    def is_locked(self):
        return self.fault in ("locked", "hidden", "dismissed", "unanswered", "prompt-vanishes")

    def read_alias(self, name):
        if name == "session":
            return "o", (OTHER,)
        return "o", ({"no-default": "/", "session-default": OTHER}.get(self.fault, DEFAULT),)

    def create_item(self, properties, secret, replace):
        attributes = properties[INTERFACE + "Item.Attributes"][1]
        value = self.decrypt(secret)
        if self.fault == "vanishes-while-storing":
            os._exit(1)
        if self.fault == "create-prompts":
            return "oo", ("/", PROMPT)
        path = f"{DEFAULT}/{secrets.token_hex(8)}"
        if self.fault != "lost":
            self.items[path] = (attributes, value)
            self.save()
        return "oo", (path, "/")

    def get_secret(self, path):
        if self.fault == "vanishes":
            os._exit(1)
        if self.fault == "deleted-meanwhile" or path not in self.items:
            raise Refused(INTERFACE + "Error.NoSuchObject", "no such item")
        return "(oayays)", (self.encrypt(self.given(self.items[path][1])),)

    def unlock(self, objects):
        if not self.is_locked:
            return "aoo", (objects, "/")
        return "aoo", ([], PROMPT)

    def prompt(self):
        if self.fault == "prompt-vanishes":
            os._exit(1)
        if self.fault == "dismissed":
            signal = new_signal(DBusAddress(PROMPT, interface=INTERFACE + "Prompt"), "Completed", "bv",
                                (True, ("ao", [])))
            return "", (), signal
        return "", ()

    def delete(self, path):
        if self.fault != "not-removed":
            self.items.pop(path, None)
            self.save()
        return "o", ("/",)

    def properties(self, path):
        if path.startswith(DEFAULT + "/"):
            path = path.removesuffix("_twin")
            if path not in self.items:
                raise Refused(INTERFACE + "Error.NoSuchObject", "no such item")
            attributes, _ = self.items[path]
            return {"Locked": ("b", self.is_locked), "Attributes": ("a{ss}", attributes), "Label": ("s", "an item"),
                    "Created": ("t", 1), "Modified": ("t", 1)}
        if path in (DEFAULT, OTHER):
            return {"Locked": ("b", self.is_locked), "Items": ("ao", list(self.items)), "Label": ("s", "Login"),
                    "Created": ("t", 1), "Modified": ("t", 1)}
        if path == ROOT:
            return {"Collections": ("ao", [DEFAULT])}
        raise Refused("org.freedesktop.DBus.Error.UnknownObject", path)

    def answer(self, path, interface, member, body):
        if self.fault == "silent":
            return None
        if interface == "org.freedesktop.DBus.Properties":
            known = self.properties(path)
            return ("a{sv}", (known,)) if member == "GetAll" else ("v", (known[body[1]],))
        match interface.removeprefix(INTERFACE), member:
            case "Service", "OpenSession": return self.open_session(*body)
            case "Service", "SearchItems": return self.search_items(*body)
            case "Service", "ReadAlias": return self.read_alias(*body)
            case "Service", "Unlock": return self.unlock(*body)
            case "Collection", "CreateItem": return self.create_item(*body)
            case "Item", "GetSecret": return self.get_secret(path)
            case "Item", "SetSecret":
                self.items[path] = (self.items[path][0], self.decrypt(*body))
                self.save()
                return "", ()
            case "Item", "Delete": return self.delete(path)
            case "Prompt", "Prompt": return self.prompt()
            case "Prompt", "Dismiss" | "Session", "Close": return "", ()
        raise Refused("org.freedesktop.DBus.Error.UnknownMethod", f"{interface}.{member}")

    def run(self):
        while True:
            message = self.connection.receive()
            fields = message.header.fields
            if message.header.message_type != MessageType.method_call:
                continue
            member = fields[HeaderFields.member]
            try:
                answer = self.answer(fields[HeaderFields.path], fields.get(HeaderFields.interface, ""), member,
                                     message.body)
            except Refused as refused:
                self.connection.send(new_error(message, refused.args[0], "s", (refused.args[1],)))
                continue
            if answer is None:
                continue
            signature, values, *signals = answer
            self.connection.send(new_method_return(message, signature, values))
            for signal in signals:
                self.connection.send(signal)


def main(address, fault_file):
    def end_with_input():
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=end_with_input, daemon=True).start()
    connection = open_dbus_connection(bus=address)
    bus = DBusAddress("/org/freedesktop/DBus", bus_name="org.freedesktop.DBus", interface="org.freedesktop.DBus")
    # 4: do not wait in the queue for the name.
    reply = connection.send_and_get_reply(new_method_call(bus, "RequestName", "su", ("org.freedesktop.secrets", 4)))
    assert reply.body == (1,), "the name is taken"
    print("ready", flush=True)
    Service(connection, fault_file).run()


main(*sys.argv[1:])
