# SPDX-License-Identifier: Apache-2.0
"""What the clients of a user do: calls, adapters, edits of tables, locks. Each runs on a thread."""

import itertools
import json
import signal
import sqlite3
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from lan import Program
from user import UnixHTTP, User, Varlink, call_adapter


# The names of rows begin with the number of their client.
CLIENTS = itertools.count(1)


class Ledger:
    """What every client did and saw: latencies in seconds, rows with their expected number, failures."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.latencies: dict[str, list[float]] = defaultdict(list)
        self.counts: Counter[str] = Counter()
        self.failures: list[str] = []
        # Per server: the name of each row, with the smallest and the greatest number of such rows there may be.
        self.rows: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)

    def took(self, name: str, seconds: float) -> None:
        with self.lock:
            self.latencies[name].append(seconds)

    def count(self, name: str) -> None:
        with self.lock:
            self.counts[name] += 1

    def fail(self, text: str) -> None:
        with self.lock:
            self.failures.append(text)
            print(f"{time.monotonic():.1f} {text}"[:500], flush=True)

    def row(self, server: str, name: str, outcome: str | None) -> None:
        numbers = {"accepted": (1, 1), "rejected": (0, 0), "conflict": (0, 0)}.get(outcome or "", (0, 1))
        with self.lock:
            self.rows[server][name] = numbers
            self.counts[f"rows {outcome or 'without an answer'}"] += 1


class Client:
    """A step that is repeated until the end. A failure during a trouble of the user or the server is excused."""

    pause = 0.5

    def __init__(self, user: User, server: str, ledger: Ledger, ending: threading.Event) -> None:
        self.user, self.server, self.ledger, self.ending = user, server, ledger, ending
        self.turn = 0
        self.number = next(CLIENTS)
        self.name = f"{type(self).__name__} of {user.name} at {server}"
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def step(self) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass

    def run(self) -> None:
        while not self.ending.is_set():
            began = time.monotonic()
            try:
                self.turn += 1
                self.step()
                self.ledger.count(type(self).__name__)
            except Exception as error:  # every failure is a finding, unless it is excused
                self.excused(began, f"{self.name}: {type(error).__name__}: {error}")
                self.close()
            self.ending.wait(self.pause)
        self.close()

    def excused(self, began: float, text: str) -> None:
        if self.user.troubles.excuse(began, time.monotonic()):
            self.ledger.count("failures while something was killed or locked")
        else:
            self.ledger.fail(text)

    def timed(self, name: str, began: float) -> None:
        now = time.monotonic()
        if not self.user.troubles.excuse(began, now):
            self.ledger.took(name, now - began)


class Lists(Client):
    """`relctl list`, and the call that it makes."""

    pause = 1.0
    connection: Varlink | None = None

    def step(self) -> None:
        result = self.user.relctl("list")
        if result.status != 0:
            raise RuntimeError(f"list: {result.status} {result.errors}")
        self.timed("relctl list", result.began)
        if self.connection is None:
            self.connection = self.user.varlink()
        began = time.monotonic()
        self.connection.call("org.relativityd.Registry.List")
        self.timed("Registry.List", began)

    def close(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None


class Adapters(Client):
    """Opens an adapter, calls through it and closes it."""

    daemon: Varlink | None = None

    def step(self) -> None:
        if self.daemon is None:
            self.daemon = self.user.varlink()
        began = time.monotonic()
        adapter = self.daemon.call("org.relativityd.Broker.Open", endpoint=self.server)["adapter"]
        self.timed("Broker.Open", began)
        connection = UnixHTTP(adapter["socketPath"])
        try:
            for _ in range(3):
                began = time.monotonic()
                call_adapter(connection)
                self.timed("call through an adapter", began)
        finally:
            connection.close()
            # It would be open for 15 minutes otherwise.
            self.daemon.call("org.relativityd.Broker.Close", adapter=adapter["id"])

    def close(self) -> None:
        if self.daemon:
            self.daemon.close()
        self.daemon = None


class HeldAdapter(Client):
    """An adapter that is held as long as the vault is unlocked, and called all the time."""

    pause = 1.0
    program: Program | None = None
    connection: UnixHTTP | None = None

    def step(self) -> None:
        if self.program is None or not self.program.is_running or self.connection is None:
            self.close()
            command = [str(self.user.programs / "relctl"), "adapter", "open", self.server, "--hold", "--json"]
            log = self.user.home / f"held.{self.server}.log"
            self.program = self.user.lan.start(1, command, self.user.environment, log, output=True)
            assert self.program.process.stdout is not None
            line = self.program.process.stdout.readline()
            if not line:
                raise RuntimeError(f"no adapter: {log.read_text(encoding='utf-8')[-300:]}")
            self.connection = UnixHTTP(json.loads(line)["socketPath"])
        began = time.monotonic()
        call_adapter(self.connection)
        self.timed("call through a held adapter", began)

    def close(self) -> None:
        if self.connection:
            self.connection.close()
        if self.program:
            self.program.end()
        self.program = self.connection = None


class Edits(Client):
    """Inserts and updates rows of Deps by relctl, directly and through a pending file."""

    pause = 1.0
    last: str | None = None
    own: int | None = None

    def step(self) -> None:
        name = f"{self.number}-{self.turn}"
        match self.turn % 4:
            case 1 | 3:
                self.insert(name)
            case 2:
                self.update(name)
            case _:
                self.apply(name)

    def changes(self, *arguments: str, names: list[str]) -> list[dict[str, Any]]:
        """The changes of a command. Each row that it may have added is noted."""
        result = self.user.relctl(*arguments, "--json")
        found: list[dict[str, Any]] = []
        if result.output.startswith("{"):
            found = json.loads(result.output)["changes"]
        outcomes = {
            field["new"]: change.get("outcome")
            for change in found
            for field in change["fields"]
            if field["name"] == "DepName"
        }
        for name in names:
            self.ledger.row(self.server, name, outcomes.get(name))
        if result.status != 0:
            raise RuntimeError(f"{' '.join(arguments)}: {result.status} {result.errors}")
        self.timed("edit by relctl", result.began)
        return found

    def insert(self, name: str) -> None:
        change = self.changes("table", "insert", self.server, "Deps", f"DepName={name}", names=[name])[0]
        self.own = change["key"]["DepId"]

    def update(self, text: str) -> None:
        if self.own is None:
            return
        self.changes("table", "update", self.server, "Deps", str(self.own), f"DepPhone={text[-20:]}", names=[])
        found = json.loads(
            self.user.success("table", "get", self.server, "Deps", "--where", f"DepId = {self.own}", "--json")
        )
        if [row["DepPhone"] for row in found["rows"]] != [text[-20:]]:
            self.ledger.fail(f"{self.name}: row {self.own} is {found['rows']} after it became {text}")

    def apply(self, name: str) -> None:
        file = self.user.home / f"pending.{self.server}"
        file.unlink(missing_ok=True)
        names = [f"{name}-a", f"{name}-b"]
        for each in names:
            self.user.success("table", "insert", self.server, "Deps", f"DepName={each}", "--pending", str(file))
        self.changes("table", "apply", self.server, "--pending", str(file), names=names)


class Data(Client):
    """Reads and edits through the Data API, on connections of 20 calls."""

    connection: Varlink | None = None

    def step(self) -> None:
        if self.turn % 20 == 0:
            self.close()
        if self.connection is None:
            self.connection = Varlink(self.user, str(self.user.runtime / "relativityd/data.sock"))
        began = time.monotonic()
        self.connection.send(
            "org.relativityd.Data.Read", {"server": {"endpoint": self.server}, "table": "Deps", "limit": 4}, more=True
        )
        rows = 0
        while True:
            reply = self.connection.reply()
            rows += len(reply["parameters"].get("rows") or [])
            if not reply.get("continues"):
                break
        if rows != 4:
            raise RuntimeError(f"{rows} rows")
        self.timed("Data.Read", began)
        name = f"{self.number}-{self.turn}"
        outcome: str | None = None
        try:
            reply = self.connection.call(
                "org.relativityd.Data.Edit",
                server={"endpoint": self.server},
                edits=[{"action": "insert", "table": "Deps", "values": {"DepName": name}}],
            )
            outcome = reply["changes"][0].get("outcome")
        finally:
            self.ledger.row(self.server, name, outcome)

    def close(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None


class Locks(Client):
    """Locks the vault and unlocks it after two seconds."""

    pause = 60.0

    def step(self) -> None:
        if self.turn == 1:
            return
        trouble = self.user.troubles.begin()
        try:
            self.user.success("vault", "lock")
            self.ending.wait(2)
            began = time.monotonic()
            self.user.unlock()
            self.ledger.took("vault unlock", time.monotonic() - began)
        finally:
            self.user.troubles.end(trouble)


class Reloads(Client):
    """Adds a server to the administrator's files and removes it, each with a reload."""

    pause = 20.0
    FILE = 'url = "https://office.example:7999/bin"\npin = "ca"\n'

    def step(self) -> None:
        file = self.user.home / "endpoints.d/office.toml"
        if self.turn % 2:
            file.write_text(self.FILE, encoding="utf-8")
        else:
            file.unlink()
        self.user.daemon.send(signal.SIGUSR2)
        deadline = time.monotonic() + 10
        while any(endpoint["origin"] == "configured" for endpoint in self.user.listed()) != bool(self.turn % 2):
            if time.monotonic() > deadline:
                raise RuntimeError(f"reload {self.turn} is not in the list")
            self.ending.wait(0.1)


def count_rows(database: Path, expected: dict[str, tuple[int, int]]) -> tuple[int, list[str]]:
    """Compare the rows of a server with the outcomes that the clients received.

    Returns the number of rows that the clients made, and each difference.
    """
    found: Counter[str] = Counter()
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=60) as connection:
        for (name,) in connection.execute("SELECT DepName FROM Deps WHERE DepId > 4"):
            found[name] += 1
    wrong = [
        f"{name}: {found[name]} rows, {low} to {high} expected"
        for name, (low, high) in expected.items()
        if not low <= found[name] <= high
    ]
    wrong += [f"{name}: {number} rows, none expected" for name, number in found.items() if name not in expected]
    return sum(found.values()), wrong
