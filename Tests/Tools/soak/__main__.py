# SPDX-License-Identifier: Apache-2.0
"""python3 Tests/Tools/soak --programs DIRECTORY --minutes N [--report FILE]: runs all long shares together.

It needs root and a network without other machines (alone.sh). On a LAN of namespaces, for N minutes: servers come,
change and go (host 3); two users of host 1 have a daemon each, with watches, adapters, edits of tables, the Data API,
locks and reloads; the daemon of the second user and its server (host 2) are killed every few minutes. Then random
rounds run for a sixth of the time. The report, as Markdown, gives memory, descriptors, wake-ups, latencies and losses.
The exit status is 1 if a limit is broken.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import report as reporting
from lan import LAN, Program
from samples import Sample, Sampler, percentile
from user import DataHelper, User, Varlink
from watch import Announcer, Losses, Watcher, Witness, compare
from work import Adapters, Client, Data, Edits, HeldAdapter, Ledger, Lists, Locks, Reloads, count_rows

SERVERS = 100
# Packets per second, a third each for servers that come, change and go.
RATE = 20
WATCHERS = 3


def environment() -> dict[str, str]:
    bus = "unix:path=/run/dbus/system_bus_socket"
    return {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "DBUS_SYSTEM_BUS_ADDRESS": bus}


class Servers:
    """The sample servers of host 2, by name."""

    def __init__(self, lan: LAN, work: Path, programs: Path) -> None:
        self.lan, self.work, self.programs = lan, work, programs
        self.running: dict[str, Program] = {}

    def start(self, name: str, port: int) -> None:
        folder = self.work / f"server.{name}"
        folder.mkdir(exist_ok=True)
        command = [
            str(self.programs / "relativity-sample-server"), "--lan", "--name", name, "--port", str(port),
            "--data-dir", str(folder),
        ]  # fmt: skip
        self.running[name] = self.lan.start(2, command, environment(), self.work / f"server.{name}.log")

    def kill(self, name: str, port: int, user: User) -> None:
        trouble = user.troubles.begin()
        self.running[name].end(9)
        self.start(name, port)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if any(endpoint["name"] == name and endpoint["state"] == "reachable" for endpoint in user.listed()):
                break
            time.sleep(0.2)
        user.troubles.end(trouble)

    def database(self, name: str) -> Path:
        return self.work / f"server.{name}/sample.sqlite"


class Soak:
    def __init__(self, work: Path, programs: Path, minutes: float, idle: float) -> None:
        self.minutes, self.idle = minutes, idle
        self.programs = programs
        self.ledger = Ledger()
        self.ending = threading.Event()
        self.report = reporting.Report()
        self.recoveries: list[float] = []
        self.lan = LAN(work / "lan", 3)
        self.work = work

    def set_up(self) -> None:
        self.servers = Servers(self.lan, self.work, self.programs)
        for name, port in (("steady", 7099), ("killed", 7098)):
            self.servers.start(name, port)
        self.steady, self.killed = (User(self.lan, self.work, self.programs, name) for name in ("steady", "killed"))
        self.helpers: list[DataHelper] = []
        for user in (self.steady, self.killed):
            user.prepare(user.name)
            self.helpers.append(DataHelper(user))
        self.watchers = [Watcher(self.steady, f"steady {number}") for number in range(WATCHERS)]
        self.watchers.append(Watcher(self.killed, "killed"))
        self.witness = Witness(self.steady)
        avahi = self.lan.avahi(1)
        processes: dict[str, Callable[[], int]] = {
            "daemon": lambda: self.steady.daemon.pid,
            "daemon that is killed": lambda: self.killed.daemon.pid,
            "sample server": lambda: self.servers.running["steady"].pid,
            "Data API": lambda: self.helpers[0].pid,
            "watch": lambda: self.watchers[0].pid,
            "avahi-daemon": lambda: avahi,
        }
        self.sampler = Sampler(processes, 10 if self.minutes >= 10 else 2)

    def window(self) -> dict[str, tuple[Sample, Sample]]:
        """An idle time, with a connection to the Data API, which would exit without one."""
        connection = Varlink(self.steady, self.helpers[0].socket)
        connection.call("org.relativityd.Data.ListTables", server={"endpoint": "steady"})
        time.sleep(5)
        result = self.sampler.window(self.idle)
        connection.close()
        return result

    def warm_up(self) -> None:
        """Each part that is counted in the idle windows has been used once."""
        ending = threading.Event()
        clients = self.held(ending) + [Data(self.steady, "steady", self.ledger, ending)]
        time.sleep(8)
        ending.set()
        for client in clients:
            client.thread.join(60)

    def held(self, ending: threading.Event) -> list[Client]:
        return [HeldAdapter(user, user.name, self.ledger, ending) for user in (self.steady, self.killed)]

    def load(self) -> None:
        announcer = Announcer(self.lan, SERVERS, RATE, self.work / "announcer.log")
        self.sampler.thread.start()
        began = time.monotonic()
        end = began + 60 * self.minutes
        clients = self.held(self.ending)
        for user in (self.steady, self.killed):
            kinds: list[type[Client]] = [Lists, Adapters, Edits, Data, Locks, Reloads]
            clients += [kind(user, user.name, self.ledger, self.ending) for kind in kinds]
        # Every four minutes, or three times in a short run; daemon and server in turns.
        pause = min(240.0, 60 * self.minutes / 6)
        turn = 0
        while time.monotonic() + pause < end:
            time.sleep(pause)
            turn += 1
            if turn % 2:
                self.recoveries.append(self.killed.kill_daemon())
            else:
                self.servers.kill("killed", 7098, self.killed)
            print(f"{(time.monotonic() - began) / 60:.0f} minutes, {len(self.ledger.failures)} failures", flush=True)
        time.sleep(max(0.0, end - time.monotonic()))
        self.ending.set()
        for client in clients:
            client.thread.join(200)
        self.sampler.stop()
        announcer.stop()
        time.sleep(8)
        self.announced = announcer.lives

    def judge_losses(self) -> None:
        self.report.title("Losses")
        alive = {f"fake {number}" for number, life in self.announced.items() if life.down is None}
        known = self.witness.session.seen.keys() - self.witness.session.gone.keys()
        for user, watchers in ((self.steady, self.watchers[:WATCHERS]), (self.killed, self.watchers[WATCHERS:])):
            listed = {e["name"] for e in user.listed() if e["name"].startswith("fake ") and e["state"] != "stale"}
            for watcher in watchers:
                present = {
                    e["name"]
                    for e in watcher.sessions[-1].present.values()
                    if e["name"].startswith("fake ") and e["state"] != "stale"
                }
                what = f"final state of watch {watcher.name}: {len(present)} servers; relctl list {len(listed)}; "
                what += f"announced {len(alive)}; avahi-browse {len(known)}"
                self.report.limit(what, present == listed == alive, "equal")
        self.report.say("")
        rows, lost = [], []
        for watcher in self.watchers:
            losses: Losses = compare(self.announced, watcher, self.witness.session)
            lost += losses.lost + [f"avahi-browse has it neither: {text}" for text in losses.by_avahi]
            middle, most = (percentile(losses.delays, share) for share in (0.5, 1))
            rows.append([
                watcher.name, str(len(watcher.sessions)), str(losses.expected), str(len(losses.by_avahi)),
                str(len(losses.lost)), f"{middle:.3f} / {most:.3f}", self.report.verdict(not losses.lost),
            ])  # fmt: skip
        self.report.table(
            [
                "Watch", "Sessions", "Events", "lost by Avahi", "lost by us", "delay of new servers: median / max s",
                "none lost by us",
            ],
            rows,
        )  # fmt: skip
        self.report.list(lost)
        for name in ("steady", "killed"):
            number, wrong = count_rows(self.servers.database(name), self.ledger.rows[name])
            self.report.limit(f"rows of server {name}: {number}, {len(wrong)} wrong", not wrong, "each exactly once")
            self.report.list(wrong)
        failures = self.ledger.failures
        self.report.limit(f"failures of clients without a cause: {len(failures)}", not failures, "0")
        self.report.list(failures)
        failed = [status for helper in self.helpers for status in helper.statuses if status != 0]
        self.report.limit(f"ends of the Data API other than after idleness: {failed}", not failed, "none")
        counts = ", ".join(f"{name} {number}" for name, number in sorted(self.ledger.counts.items()))
        self.report.say(f"- counts: {counts}")
        times = " ".join(f"{seconds:.1f}" for seconds in self.recoveries)
        self.report.say(f"- the killed daemon served again, with its vault open, after s: {times}")

    def judge_leftovers(self) -> None:
        expected = {user.daemon.pid for user in (self.steady, self.killed)}
        expected |= {server.pid for server in self.servers.running.values()} | {helper.pid for helper in self.helpers}
        expected |= {watcher.program.pid for watcher in self.watchers if watcher.program}
        rest = list(remaining(str(self.work), self.programs, expected))
        self.report.limit(f"processes of ours that should have ended: {len(rest)}", not rest, "0")
        self.report.list(rest)
        for user in (self.steady, self.killed):
            adapters = json.loads(user.success("adapter", "list", "--json"))["adapters"]
            self.report.limit(f"adapters of {user.name} after all clients: {len(adapters)}", not adapters, "0")

    def run(self) -> None:
        self.set_up()
        self.warm_up()
        first = self.window()
        self.load()
        self.judge_losses()
        self.judge_leftovers()
        # The same state as before the load: no fake server is announced.
        last = self.window()
        self.report.title("Memory and work under load")
        reporting.memory(self.report, self.sampler.series, {"daemon", "sample server", "Data API", "watch"})
        self.report.title("Idle before and after")
        reporting.idle(self.report, "before", first)
        reporting.idle(self.report, "after", last)
        for name in sorted(first.keys() & last.keys() - {"avahi-daemon"}):
            before, after = first[name][1].descriptors, last[name][1].descriptors
            self.report.limit(f"descriptors of {name}: {before} before, {after} after", before == after, "equal")
        self.report.title("Latencies under load")
        reporting.latencies(self.report, self.ledger.latencies)

    def end(self) -> None:
        self.ending.set()
        for process in (*getattr(self, "watchers", []), *getattr(self, "helpers", [])):
            process.ending = True
        self.lan.down()


def remaining(work: str, programs: Path, expected: set[int]) -> Iterator[str]:
    """Processes that run a program of ours with a home in this folder, and are not expected."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in expected:
            continue
        try:
            if Path(os.readlink(f"/proc/{name}/exe")).parent != programs:
                continue
            if work.encode() in Path(f"/proc/{name}/environ").read_bytes():
                command = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
                yield f"{name} " + " ".join(part.decode(errors="replace") for part in command[:3])
        except OSError:
            continue


PROOFS = [("applies", 170), ("edits", 5_000), ("damaged", 500), ("values", 170), ("queries", 170), ("tables", 1_700)]


def prove(report: reporting.Report, programs: Path, minutes: float) -> None:
    """Random rounds, whose number a busy machine makes in about a sixth of the time."""
    report.title("Random rounds")
    for kind, rate in PROOFS:
        command = [str(programs / "random-probe"), kind, str(int(max(20, rate * minutes)))]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        took = time.monotonic() - began
        text = " ".join((done.stdout + done.stderr).split())
        report.limit(f"{kind}, {took:.0f} s: {text[:600]}", done.returncode == 0, "no failure")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--idle", type=float, default=60, help="seconds of each idle window")
    parser.add_argument("--report", type=Path)
    parser.add_argument("--keep", action="store_true", help="keep logs and databases")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="soak."))
    print(f"files are in {work}", flush=True)
    soak = Soak(work, options.programs.resolve(), options.minutes, options.idle)
    soak.report.say("# Soak\n")
    soak.report.say(
        f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC, {options.minutes:g} minutes, {platform.machine()} with"
        f" {os.cpu_count()} cores, Linux {platform.release()}"
    )
    try:
        soak.run()
    finally:
        soak.end()
    if options.report:
        # The rounds may fail, or take longer than the caller waits.
        options.report.write_text(soak.report.text, encoding="utf-8")
    prove(soak.report, options.programs, options.minutes)
    soak.report.say(f"\n{soak.report.failed} limits are broken.")
    print(soak.report.text)
    if options.report:
        options.report.write_text(soak.report.text, encoding="utf-8")
    if not options.keep and not soak.report.failed:
        shutil.rmtree(work)
    return 1 if soak.report.failed else 0


sys.exit(main())
