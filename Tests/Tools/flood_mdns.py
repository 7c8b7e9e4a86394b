# SPDX-License-Identifier: Apache-2.0
"""Announces many servers that do not exist by multicast DNS, and changes them, until its input ends.

flood_mdns.py ADDRESS flood SERVICES CHANGES RATE   that many servers, then that many changes of their TXT records, at most
                                                    RATE of either in a second; then the same changes for ever
flood_mdns.py ADDRESS churn SERVICES RATE           at most SERVICES at once, which come, change and go for ever; a line
                                                    for each: up, changed or down, its number, and the time
flood_mdns.py ADDRESS say                           for each line of input the server "mine" with that line as its TXT

ADDRESS is the address of the interface to send on. It prints a line when a part of this is done.
"""

import itertools
import select
import sys
import time

from hostile_mdns import GROUP, TXT, TYPE, name, opened, packet, record, service

TTL = 4500
SERVERS_PER_HOST = 8
CHANGES_PER_PACKET = 8


def text(value):
    return bytes([len(value)]) + value


def label(number):
    return b"fake %d" % number


def announcement(number, own):
    host = [b"fake-%d" % (number // SERVERS_PER_HOST), b"local"]
    return packet(service(label(number), host, own, 10000 + number % SERVERS_PER_HOST, text(b"round=0"), TTL))


def change(numbers, turn):
    instances = [text(label(number)) + name(TYPE) for number in numbers]
    return packet([record(instance, TXT, text(b"round=%d" % turn), ttl=TTL) for instance in instances])


def goodbye(number):
    """A goodbye for all records except those of the shared host, as Avahi's cache would be full in half an hour."""
    host = [b"fake-%d" % (number // SERVERS_PER_HOST), b"local"]
    return packet(service(label(number), host, None, 10000 + number % SERVERS_PER_HOST, text(b"round=0"), ttl=0))


def flood(own, services, changes):
    for number in range(services):
        yield 1, announcement(number, own)
    print(f"announced {services}", flush=True)
    for first in itertools.count(0, CHANGES_PER_PACKET):
        numbers = [(first + step) % services for step in range(CHANGES_PER_PACKET)]
        yield CHANGES_PER_PACKET, change(numbers, first // services + 1)
        if first < changes <= first + CHANGES_PER_PACKET:
            print(f"changed {changes}", flush=True)


def churn(own, services):
    """In equal parts: a new server, a change of a server of half the maximum age, and the removal of the oldest."""

    def log(word, number):
        print(word, number, time.monotonic(), flush=True)

    for number in itertools.count():
        yield 1, announcement(number, own)
        log("up", number)
        if number >= services // 2:
            yield 1, change([number - services // 2], number)
            log("changed", number - services // 2)
        if number >= services:
            yield 1, goodbye(number - services)
            log("down", number - services)


def is_over(seconds):
    return bool(select.select([sys.stdin], [], [], max(0, seconds))[0])


def send(sender, pieces, rate):
    due = time.monotonic()
    for count, data in pieces:
        if is_over(due - time.monotonic()):
            return
        sender.sendto(data, GROUP)
        due += count / rate


def say(sender, own):
    for line in iter(sys.stdin.readline, ""):
        records = service(b"mine", [b"mine", b"local"], own, 7099, text(line.rstrip("\n").encode()), TTL)
        sender.sendto(packet(records), GROUP)
        print("said", flush=True)


def main():
    own, mode, *numbers = sys.argv[1:]
    numbers = [int(number) for number in numbers]
    sender = opened(own)
    if mode == "flood":
        send(sender, flood(own, *numbers[:2]), numbers[2])
    elif mode == "churn":
        send(sender, churn(own, numbers[0]), numbers[1])
    else:
        say(sender, own)


main()
