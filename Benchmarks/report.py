# SPDX-License-Identifier: Apache-2.0
"""report.py RESULTS: the table at the end of `make bench`.

RESULTS has one JSON object a line, as the peers print them. A measure that was taken several times counts with the
median of its figures. Ends with status 1 if a target is missed.
"""

import json
import statistics
import sys
from collections import defaultdict

MILLISECOND = 1e6
MICROSECOND = 1e3
MEGABYTE = 1e6


def read(path: str) -> dict[str, dict[str, float]]:
    """Medians by measure and field."""
    collected: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            result = json.loads(line)
            name = result.pop("name")
            for field, value in result.items():
                collected[name][field].append(value)
    return {
        name: {field: statistics.median(values) for field, values in fields.items()}
        for name, fields in collected.items()
    }


def main() -> None:
    results = read(sys.argv[1])

    def p50(name: str) -> float:
        return results[name]["p50"]

    def times(name: str, unit: float) -> str:
        return f"{p50(name) / unit:.2f} {'ms' if unit == MILLISECOND else 'us'}"

    def beside(ours: str, theirs: str, unit: float) -> str:
        return f"{times(ours, unit)} : {times(theirs, unit)}"

    idle = results["idle"]
    slower_browse = p50("avahi-browse -rpt") / p50("relctl list")
    cached_browse = p50("relctl list") / p50("avahi-browse -cpt")
    printer = p50("relctl list") / p50("print_list")
    echo = p50("API") / p50("echo")
    bus = p50("API") / p50("D-Bus")
    python = p50("API") / p50("varlink (PyPI)")
    lag = p50("lag") / MILLISECOND
    dirty = idle["private_dirty"] / MEGABYTE
    resident = idle["resident"] / MEGABYTE
    wakeups = idle["wakeups"]
    vault = results["vault"]
    save = vault["save"] / vault["bare"]
    unlock = vault["unlock"] / MILLISECOND
    rows = [
        ("relctl list : avahi-browse -rpt", beside("relctl list", "avahi-browse -rpt", MILLISECOND),
         f"{slower_browse:.0f} times faster", "50 times", slower_browse >= 50),
        ("the same, relativityd running beside avahi-browse",
         beside("relctl list", "avahi-browse -rpt beside relativityd", MILLISECOND),
         f"{p50('avahi-browse -rpt beside relativityd') / p50('relctl list'):.0f} times faster", "none", None),
        ("relctl list : avahi-browse -cpt", beside("relctl list", "avahi-browse -cpt", MILLISECOND),
         f"{cached_browse:.2f}", "1.00", cached_browse <= 1),
        ("relctl list : C program, same bytes", beside("relctl list", "print_list", MILLISECOND),
         f"{printer:.2f}", "5.00", printer <= 5),
        ("new service in relctl watch after avahi-browse -pr", f"lost {results['lag']['lost']:.0f}",
         f"{lag:.2f} ms", "5 ms, none lost", lag <= 5 and results["lag"]["lost"] == 0),
        ("API round trip : C epoll echo, one core", beside("API", "echo", MICROSECOND),
         f"{echo:.2f}", "4.00", echo <= 4),
        ("API round trip : D-Bus call to the bus", beside("API", "D-Bus", MICROSECOND), f"{bus:.2f}", "1.00", bus < 1),
        ("API round trip : server with PyPI's varlink", beside("API", "varlink (PyPI)", MICROSECOND),
         f"{python:.2f}", "1.00", python < 1),
        (f"save of 100 logins : bare write, fsync, rename, fsync of {vault['bytes'] / 1e3:.0f} KB",
         f"{vault['save'] / MILLISECOND:.2f} ms : {vault['bare'] / MILLISECOND:.2f} ms",
         f"{save:.2f}", "3.00", save <= 3),
        ("unlock of 100 logins without scrypt", "", f"{unlock:.2f} ms", "20 ms", unlock <= 20),
        ("list of 100 logins, with a look at the file", "", f"{vault['list'] / MILLISECOND:.2f} ms", "none", None),
        ("idle, private dirty", f"{idle['threads']:.0f} threads", f"{dirty:.2f} MB", "3 MB", dirty <= 3),
        ("idle, resident", "", f"{resident:.2f} MB", "22 MB", resident <= 22),
        (f"idle, wake-ups in {idle['seconds']:.0f} s", "", f"{wakeups:.0f}", "0", wakeups == 0),
    ]  # fmt: skip

    heading = ("measure", "medians", "figure", "target", "")
    verdicts = {True: "pass", False: "MISSED", None: ""}
    table = [heading] + [(*row[:4], verdicts[row[4]]) for row in rows]
    widths = [max(len(row[column]) for row in table) for column in range(5)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    sys.exit(1 if any(row[4] is False for row in rows) else 0)


main()
