# SPDX-License-Identifier: Apache-2.0
"""Servers that come, change and go, those that report them, and the comparison of both."""

import json
import re
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lan import LAN, TOOLS, Program, follow
from user import User

TYPE = "_Relativity_DataService_rosdk._tcp"
# A server that lives for longer than this, while a watch runs, must be reported by it.
SETTLED = 5.0


@dataclass
class Life:
    """The times at which a server was announced, changed and withdrawn."""

    up: float
    changed: float | None = None
    down: float | None = None


class Announcer:
    """Host 3, where servers "fake N" come, change and go."""

    def __init__(self, lan: LAN, servers: int, rate: int, log: Path) -> None:
        self.lives: dict[int, Life] = {}
        tool = str(TOOLS / "flood_mdns.py")
        command = ["python3", tool, "10.77.0.3", "churn", str(servers), str(rate)]
        self.program = lan.start(3, command, {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, log, output=True)
        self.thread = follow(self.program.process.stdout, self.take)

    def take(self, line: str) -> None:
        words = line.split()
        match words:
            case ["up", number, moment]:
                self.lives[int(number)] = Life(float(moment))
            case ["changed", number, moment]:
                self.lives[int(number)].changed = float(moment)
            case ["down", number, moment]:
                self.lives[int(number)].down = float(moment)

    def stop(self) -> None:
        assert self.program.process.stdin is not None
        self.program.process.stdin.close()
        self.program.process.wait(30)
        self.thread.join(30)


@dataclass
class Session:
    """What a watcher reported, from one snapshot to the end of the process, or of the connection to the daemon."""

    began: float
    ended: float = float("inf")
    last: float = 0
    seen: dict[int, float] = field(default_factory=dict)
    changed: dict[int, float] = field(default_factory=dict)
    gone: dict[int, float] = field(default_factory=dict)
    present: dict[str, Any] = field(default_factory=dict)


def number_of(name: str) -> int | None:
    found = re.fullmatch(r"fake (\d+)", name)
    return int(found[1]) if found else None


class Watcher:
    """`relctl watch --json` of a user, which is started again if it ends.

    Each snapshot begins a session, because events are lost while there is no daemon. The one before ended with its last
    event.
    """

    def __init__(self, user: User, name: str) -> None:
        self.user, self.name = user, name
        self.sessions: list[Session] = []
        self.program: Program | None = None
        self.ending = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    @property
    def pid(self) -> int:
        return self.program.pid if self.program else 0

    def run(self) -> None:
        while not self.ending:
            log = self.user.home / f"watch.{self.name}.log"
            command = [str(self.user.programs / "relctl"), "watch", "--json"]
            try:
                self.program = self.user.lan.start(1, command, self.user.environment, log, output=True)
            except RuntimeError:
                time.sleep(0.2)
                continue
            assert self.program.process.stdout is not None
            session: Session | None = None
            for line in self.program.process.stdout:
                session = self.take(json.loads(line), session)
            self.program.process.wait(30)
            if session:
                session.ended = time.monotonic()
            time.sleep(0.2)

    def take(self, event: dict[str, Any], session: Session | None) -> Session:
        now = time.monotonic()
        if event["kind"] == "snapshot" or session is None:
            if session:
                session.ended = session.last
            session = Session(now)
            self.sessions.append(session)
            for endpoint in event["endpoints"]:
                self.note(endpoint, session, now)
        elif event["kind"] == "removed":
            endpoint = event["endpoint"]
            session.present.pop(endpoint["id"], None)
            number = number_of(endpoint["name"])
            if number is not None:
                session.gone[number] = now
        else:
            self.note(event["endpoint"], session, now)
        session.last = now
        return session

    def note(self, endpoint: dict[str, Any], session: Session, now: float) -> None:
        session.present[endpoint["id"]] = endpoint
        number = number_of(endpoint["name"])
        if number is not None:
            session.seen.setdefault(number, now)
            if endpoint["txt"] and endpoint["txt"] != ["round=0"]:
                session.changed.setdefault(number, now)

    def stop(self) -> None:
        self.ending = True
        if self.program:
            self.program.end()
        self.thread.join(30)


class Witness:
    """avahi-browse on the same host: what avahi-daemon itself reports."""

    def __init__(self, user: User) -> None:
        self.session = Session(time.monotonic() + 1)
        command = ["stdbuf", "-oL", "avahi-browse", "--parsable", TYPE]
        self.program = user.lan.start(1, command, user.environment, user.home / "browse.log", output=True)
        self.thread = follow(self.program.process.stdout, self.take)

    def take(self, line: str) -> None:
        parts = line.split(";")
        number = number_of(parts[3].replace("\\032", " ")) if len(parts) > 3 else None
        if number is not None and parts[0] in "+-":
            seen = self.session.seen if parts[0] == "+" else self.session.gone
            seen.setdefault(number, time.monotonic())

    def stop(self) -> None:
        self.session.ended = time.monotonic()
        self.program.end()
        self.thread.join(30)


@dataclass
class Losses:
    """The events that were announced, those that a watcher did not report, and the delays of new servers in seconds."""

    expected: int = 0
    by_avahi: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)


def expected_events(life: Life, session: Session) -> list[tuple[str, float]]:
    """The events of a server that a session had the time to report."""
    down = life.down if life.down is not None else float("inf")
    begin, end = max(life.up, session.began), min(down, session.ended)
    if end - begin < SETTLED:
        return []
    events = [("up", life.up)]
    if life.changed is not None and min(down, session.ended) - max(life.changed, session.began) >= SETTLED:
        events.append(("changed", life.changed))
    # The server was there long enough to be reported before it went.
    if life.down is not None and session.ended - life.down >= SETTLED:
        events.append(("down", life.down))
    return events


def compare(announced: dict[int, Life], watcher: Watcher, witness: Session) -> Losses:
    losses = Losses()
    for number, session in enumerate(watcher.sessions):
        for server, life in announced.items():
            for word, moment in expected_events(life, session):
                losses.expected += 1
                found = {"up": session.seen, "changed": session.changed, "down": session.gone}[word].get(server)
                if found is not None:
                    if word == "up" and moment > session.began:
                        losses.delays.append(found - moment)
                    continue
                text = f"{watcher.name} session {number}: fake {server} {word} at {moment:.1f}"
                known = witness.gone if word == "down" else witness.seen
                # The witness reports no changes of TXT records.
                (losses.lost if server in known else losses.by_avahi).append(text)
    return losses
