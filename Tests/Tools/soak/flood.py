# SPDX-License-Identifier: Apache-2.0
"""flood.py --programs DIRECTORY [--services N] [--rate N] [--minutes N]: announces N services (10,000) on a LAN of
namespaces, and counts those that avahi-daemon reports and those that relctl lists.

avahi-browse runs on the host of the daemon and counts what avahi-daemon reports to any client. The kernel counts the
packets that avahi-daemon did not read in time. The count ends when neither has changed for half a minute, or after
N minutes (20). Prints the report as Markdown. It needs root and a network without other machines (alone.sh).
"""

import argparse
import os
import platform
import sys
import tempfile
import threading
import time
from pathlib import Path

from lan import LAN, TOOLS, follow
from samples import take
from user import User
from watch import Witness, number_of

QUIET = 30.0
CONFIGURATION = '[discovery]\nmaximum_endpoints = 16384\n[probe]\nmode = "off"\n'


def dropped(lan: LAN) -> int:
    """The packets for UDP port 5353 that were dropped on host 1, because a buffer was full."""
    output = lan.run(1, ["cat", "/proc/net/udp"], {"PATH": os.environ["PATH"]}).output
    return sum(int(line.split()[-1]) for line in output.splitlines()[1:] if line.split()[1].endswith(":14E9"))


def fakes(user: User) -> set[int]:
    return {number for endpoint in user.listed() if (number := number_of(endpoint["name"])) is not None}


def flood(work: Path, programs: Path, services: int, rate: int, minutes: float) -> list[str]:
    lan = LAN(work / "lan", 3)
    try:
        user = User(lan, work, programs, "flood", CONFIGURATION)
        witness = Witness(user)
        avahi = lan.avahi(1)
        time.sleep(2)
        before, lost = (take(user.daemon.pid), take(avahi)), dropped(lan)
        tool = str(TOOLS / "flood_mdns.py")
        # The changes begin when all services are announced; one change is sent, and nothing follows before it ends.
        command = ["python3", tool, "10.77.0.3", "flood", str(services), "8", str(rate)]
        announced = threading.Event()
        enemy = lan.start(3, command, {"PATH": os.environ["PATH"]}, work / "flood.log", output=True)
        follow(enemy.process.stdout, lambda line: announced.set() if line.startswith("announced") else None)
        began = time.monotonic()
        end = began + 60 * minutes
        counts, changed, listings = (0, 0), began, []
        while not announced.is_set() or time.monotonic() - changed < QUIET:
            if announced.is_set() and enemy.is_running:
                enemy.end()
            if time.monotonic() > end:
                break
            start = time.monotonic()
            now = (len(witness.session.seen), len(fakes(user)))
            listings.append(time.monotonic() - start)
            if now != counts:
                counts, changed = now, time.monotonic()
                print(f"{changed - began:.0f} s: avahi-browse {now[0]}, relctl list {now[1]}", flush=True)
            time.sleep(5)
        listed = fakes(user)
        seen = set(witness.session.seen) - set(witness.session.gone)
        after = (take(user.daemon.pid), take(avahi))
        witness.stop()
        assert before[0] and before[1] and after[0] and after[1]
        return [
            f"{services} services, {rate} a second, {time.strftime('%Y-%m-%d %H:%M', time.gmtime())} UTC,"
            f" {platform.machine()}, {os.cpu_count()} cores; settled after {changed - began:.0f} s"
            + ("" if time.monotonic() <= end else f" (stopped after {minutes:g} minutes, before it was quiet)"),
            "",
            "| Step | Services |",
            "|---|---|",
            f"| announced | {services} |",
            f"| reported by avahi-daemon to avahi-browse | {len(seen)} |",
            f"| listed by relctl | {len(listed)} |",
            f"| reported to avahi-browse, but not listed | {len(seen - listed)} |",
            f"| listed, but not reported to avahi-browse | {len(listed - seen)} |",
            "",
            f"Packets that the kernel dropped, because avahi-daemon did not read them in time: {dropped(lan) - lost}."
            f" Processor: avahi-daemon {after[1].processor - before[1].processor:.0f} s, the daemon"
            f" {after[0].processor - before[0].processor:.0f} s. Private memory: the daemon"
            f" {before[0].private:,} KiB before, {after[0].private:,} KiB after; avahi-daemon {after[1].private:,} KiB."
            f" `relctl list --json` took {min(listings):.2f} to {max(listings):.2f} s.",
        ]
    finally:
        lan.down()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--services", type=int, default=10_000)
    parser.add_argument("--rate", type=int, default=250)
    parser.add_argument("--minutes", type=float, default=20)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="flood."))
    print("\n".join(flood(work, options.programs.resolve(), options.services, options.rate, options.minutes)))
    return 0


sys.exit(main())
