# SPDX-License-Identifier: Apache-2.0
"""report.py [--quick] [--write FILE] RESULTS PART...: prints a table of figures and targets for each part of the benchmark.

RESULTS has one JSON object per line, in the format of the peers. If a measure was taken several times, the median of
its figures is used. Exits with status 1 if a figure is missing, or a target unless --quick is given. With --write the
tables replace the document FILE, also if a target is missed.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

MICROSECOND, MILLISECOND = 1e3, 1e6
MEGABYTE = 1e6
MOST_LINES = 150
# The predicates of table-probe in words, in its order.
PREDICATES = ["on a number", "==", "BEGINSWITH", "IN", "BETWEEN", "LIKE", "LIKE[c]", "with OR"]


class Wrong(Exception):
    """A figure is missing, or ours and the peer's differ in what they found."""


class Results:
    """The medians by measure and field."""

    def __init__(self, path: str) -> None:
        collected: dict[tuple[str, str], list[float]] = defaultdict(list)
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                result = json.loads(line)
                name = result.pop("name")
                for field, value in result.items():
                    collected[name, field].append(value)
        self.medians = {key: statistics.median(values) for key, values in collected.items()}

    def get(self, name: str, field: str = "p50") -> float:
        try:
            return self.medians[name, field]
        except KeyError:
            raise Wrong(f"no figure: {name}, {field}") from None

    def same(self, ours: str, theirs: str, field: str) -> None:
        if self.get(ours, field) != self.get(theirs, field):
            raise Wrong(f"{ours} and {theirs} have a different {field}")


@dataclass
class Figure:
    measure: str
    medians: str
    value: str
    target: str = ""
    is_met: bool = True

    def cells(self) -> tuple[str, ...]:
        return (self.measure, self.medians, self.value, self.target, "" if self.is_met else "MISSED")


def duration(nanoseconds: float) -> str:
    if nanoseconds < 0.1 * MILLISECOND:
        return f"{nanoseconds / MICROSECOND:.1f} us"
    return f"{nanoseconds / MILLISECOND:.{2 if nanoseconds < 10 * MILLISECOND else 0}f} ms"


def quotient(measure: str, ours: float, theirs: float, target: float | None, show: Callable[[float], str]) -> Figure:
    """A ratio that is at most the target."""
    ratio = ours / theirs
    medians = f"{show(ours)} : {show(theirs)}"
    value = f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.1g}"
    if target is None:
        return Figure(measure, medians, value)
    return Figure(measure, medians, value, f"{target:g}", ratio <= target)


def least(measure: str, ours: float, theirs: float, target: float | None, show: Callable[[float], str]) -> Figure:
    """A ratio that is at least the target."""
    figure = quotient(measure, ours, theirs, None, show)
    if target is None:
        return figure
    return Figure(measure, figure.medians, figure.value, f"at least {target:g}", ours / theirs >= target)


def most(measure: str, value: float, target: float | None, text: str, medians: str = "", limit: str = "") -> Figure:
    """A figure that is at most the target."""
    if target is None:
        return Figure(measure, medians, text)
    return Figure(measure, medians, text, limit or f"{target:,.0f}", value <= target)


def megabytes(count: float) -> str:
    return f"{count / MEGABYTE:.1f} MB"


def rate(count: float) -> str:
    return f"{count / MEGABYTE:,.0f} MB/s"


def per_second(count: float) -> str:
    return f"{count:,.0f}/s"


def ratio(results: Results, ours: str, theirs: str, target: float | None, measure: str = "") -> Figure:
    """The ratio of two medians of time."""
    return quotient(measure or f"{ours} : {theirs}", results.get(ours), results.get(theirs), target, duration)


def start(results: Results) -> list[Figure]:
    return [ratio(results, "relctl --version", "C start, start", 3, "relctl --version : a C program that prints a line")]


def idle(results: Results) -> list[Figure]:
    dirty, resident, wakeups = (results.get("idle", field) for field in ("private_dirty", "resident", "wakeups"))
    return [
        most("private dirty memory", dirty, 3e6, megabytes(dirty), limit="3 MB"),
        most("resident memory", resident, None, megabytes(resident)),
        most(f"wake-ups in {results.get('idle', 'seconds'):.0f} s", wakeups, 0, f"{wakeups:.0f}"),
    ]


def lists(results: Results) -> list[Figure]:
    figures = []
    for count, target in ((200, 4), (1000, 5)):
        ours, browse = f"relctl list of {count}", f"avahi-browse -rpt of {count}"
        figures += [
            least(f"{browse} : {ours}", results.get(browse), results.get(ours), 100, duration),
            least("the same on relativityd's host", results.get(f"{browse} beside relativityd"), results.get(ours), None, duration),
            ratio(results, ours, f"avahi-browse -cpt of {count}", 1),
            ratio(results, ours, f"print_list of {count}", target, f"{ours} : a C program, same bytes"),
        ]
    figures += [
        ratio(results, "relctl list of 1000", "relctl list of 200", 5),
        ratio(results, "List of 1000", "echo of the list of 1000", 2, "List of 1,000 at the daemon : a C program, same bytes"),
        ratio(results, "List of 1000 after a change", "echo of the list of 1000", None, "the same after a change"),
    ]
    filled, peer = "1000 endpoints", "python-zeroconf"
    each = (results.get(filled, "private_dirty") - results.get("0 endpoints", "private_dirty")) / 1000
    resident = f"resident with 1,000 : python-zeroconf with {results.get(peer, 'services'):.0f}"
    figures.append(most("private dirty memory of an endpoint, at 1,000", each, 3072, f"{each:,.0f} bytes"))
    figures.append(quotient(resident, results.get(filled, "resident"), results.get(peer, "resident"), 1, megabytes))
    return figures


def watch(results: Results) -> list[Figure]:
    lost = results.get("lag", "lost")
    return [
        ratio(results, "lag", "C start, watch", 1.5, "new service after avahi-browse -pr : the start of a C program"),
        most("services that were not reported", lost, 0, f"{lost:.0f}"),
        ratio(results, "fan-out", "fan-out in C", 1.5, "one change to 100 watchers : a C program"),
    ]


def api(results: Results) -> list[Figure]:
    slowest = [results.get(f"API, {when}", "p99") for when in ("unlocking", "quiet")]
    return [
        ratio(results, "API", "echo", 2.3, "API round trip : C epoll echo"),
        ratio(results, "API", "D-Bus", 1, "API round trip : D-Bus call to the bus"),
        ratio(results, "API", "varlink (PyPI)", 1, "API round trip : server with PyPI's varlink"),
        quotient("p99 while the vault is unlocked : else", slowest[0], slowest[1], 5, duration),
    ]


def adapters(results: Results) -> list[Figure]:
    def by_one(way: str, other: str, target: float | None) -> Figure:
        return ratio(results, f"call by 1, {way}", f"call by 1, {other}", target, f"call, {way} : {other}")

    def by_many(way: str, other: str, target: float | None) -> Figure:
        rates = [results.get(f"call by 16, {each}", "rate") for each in (way, other)]
        return least(f"calls by 16, {way} : {other}", rates[0], rates[1], target, per_second)

    each = results.get("adapters", "each")
    return [
        ratio(results, "adapter open", "status", 1.5, "one more adapter : API status call"),
        by_one("adapter", "direct", None),
        by_one("forwarder", "direct", None),
        by_one("adapter", "forwarder", 1.1),
        by_many("adapter", "direct", None),
        by_many("forwarder", "direct", None),
        by_many("adapter", "forwarder", 0.8),
        most(f"private dirty memory of an adapter, at {results.get('adapters', 'count'):.0f}", each, 8192, f"{each:,.0f} bytes"),
    ]


def stream(results: Results) -> list[Figure]:
    def beside(other: str, target: float | None) -> Figure:
        rates = [results.get(f"stream, {way}", "rate") for way in ("adapter", other)]
        return least(f"adapter : {other}", rates[0], rates[1], target, rate)

    return [beside("forwarder", 0.8), beside("direct", None)]


def tables(results: Results) -> list[Figure]:
    updates = "transaction of updates"
    return [
        ratio(results, "table get", "sqlite3 -csv", 3),
        ratio(results, "CPU of the extension", "CPU of table get", 2,
              "processor time of sqlite3 with the extension and its service : table get --format csv"),
        ratio(results, "CPU of Arrow", "CPU of table get", 1, "processor time of table get --format arrow : the same"),
        ratio(results, "table export", "sqlite3 .import", 2),
        ratio(results, "table browse", "sqlite3 -column", 10, "table browse of 1,000 rows, to the screen : sqlite3 -column"),
        ratio(results, "table import", "sqlite3 .import of these rows", 4),
        ratio(results, "call of updates", updates, 3),
        ratio(results, "apply of updates", updates, None, "the same with the comparison of old values"),
        ratio(results, "call of inserts", "transaction of inserts", 10),
    ]


def frames(results: Results) -> list[Figure]:
    figures = [
        ratio(results, name, "get as Arrow", 1.3, f"{name} of 1,000,000 rows, CPU time with the helper : relctl table get as Arrow")
        for name in ("to_arrow", "to_polars", "to_pandas")
    ]
    for name in ("helper", "daemon"):
        growth = results.get(f"growth of the {name}", "bytes")
        figures.append(most(f"growth of the {name} after the first round", growth, 4e6, megabytes(growth), limit="4 MB"))
    return figures


def registry(results: Results) -> list[Figure]:
    times = [results.get("registry", field) for field in ("applied", "dictionary")]
    return [quotient("10,000 sightings applied, watched : put into a dictionary", times[0], times[1], 4, duration)]


def vault(results: Results) -> list[Figure]:
    times = {field: results.get("vault", field) for field in ("save", "bare", "unlock", "list")}
    size = f"{results.get('vault', 'bytes') / 1e3:.0f} KB"
    c_start = results.get("C start, vault")
    return [
        quotient(f"save of 100 logins : write, fsync, rename, fsync of {size}", times["save"], times["bare"], 3, duration),
        quotient("unlock of 100 logins without scrypt : the start of a C program", times["unlock"], c_start, 5, duration),
        quotient("list of 100 logins, with a look at the file : the same", times["list"], c_start, None, duration),
    ]


def wire(results: Results) -> list[Figure]:
    return [
        ratio(results, "decode binary", "copy binary", 1, "1 MB of one Binary : C, checked copy"),
        ratio(results, "decode structs", "copy structs", 6, "1 MB of 12,500 structs : C, checked copy"),
    ]


def rows(results: Results) -> list[Figure]:
    results.same("decode table", "scan table", "checksum")
    results.same("calculated sum", "joined sum", "total")
    results.same("open briefcase", "decode in memory", "checksum")
    memory = f"{results.get('decode table', 'memory') / 1024:.0f} MiB"
    figures = [
        ratio(results, "decode table", "scan table", 8,
              f"a table of {results.get('decode table', 'rows'):,.0f} rows decoded in {memory} : C, checked"),
    ]  # fmt: skip
    for number, predicate in enumerate(PREDICATES):
        ours, theirs = f"predicate {number}", f"condition {number}"
        results.same(ours, theirs, "rows")
        figures.append(ratio(results, ours, theirs, 1, f"predicate {predicate} : sqlite3"))
    for number, order in enumerate(["texts", "numbers"]):
        ours, theirs = f"sort {number}", f"ORDER BY {number}"
        results.same(ours, theirs, "row")
        figures.append(ratio(results, ours, theirs, 2, f"view sorted by two {order} : sqlite3"))
    figures += [
        ratio(results, "page of a view", "ORDER BY 0", 0.05, "the slowest page of the view : sqlite3's order"),
        ratio(results, "open briefcase", "decode in memory", 1.5, "a briefcase opened : decoded in memory"),
        ratio(results, "calculated sum", "joined sum", 2, "a calculated sum over details : a join in sqlite3"),
    ]
    return figures


PARTS: dict[str, tuple[str, Callable[[Results], list[Figure]]]] = {
    "start": ("Start of relctl", start),
    "idle": ("Idle daemon", idle),
    "list": ("The list of servers", lists),
    "watch": ("Changes of the list", watch),
    "api": ("Calls of the API, on one core", api),
    "adapters": ("Adapters", adapters),
    "stream": ("A long reply through an adapter", stream),
    "tables": ("Tables of a server", tables),
    "frames": ("Tables of a server in Python", frames),
    "registry": ("Sightings", registry),
    "vault": ("Vault", vault),
    "wire": ("Decoding of messages", wire),
    "rows": ("Rows in memory", rows),
}


def text_table(figures: list[Figure]) -> str:
    table = [("measure", "medians", "figure", "target", "")] + [figure.cells() for figure in figures]
    widths = [max(len(row[column]) for row in table) for column in range(5)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in table)


def machine() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    system = platform.freedesktop_os_release()["PRETTY_NAME"]
    return f"{os.cpu_count()} cores ({model}), {system}, Linux {platform.release()}"


def commit() -> str:
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True).stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no")
    return f"`{git('rev-parse', '--short=10', 'HEAD')}`" + (" with changes" if changed else "")


def document(tables_of_parts: dict[str, list[Figure]]) -> str:
    lines = [
        "# Measurements",
        "",
        "`make bench` writes this file ([Benchmarks/README.md](../Benchmarks/README.md)): our median : the peer's, and the",
        "ratio of both, which is at most the target unless it says *at least*. What was learned from profiles is in",
        "[profiling.md](profiling.md).",
        "",
        f"Commit {commit()}, {time.strftime('%Y-%m-%d')}: {machine()}.",
    ]
    for part, figures in tables_of_parts.items():
        lines += ["", f"## {PARTS[part][0]}", "", "| Measure | Medians | Figure | Target |", "|---|---|---|---|"]
        for measure, medians, value, target, verdict in (figure.cells() for figure in figures):
            lines.append(f"| {measure} | {medians} | {value} | {target}{', missed' if verdict else ''} |")
    if len(lines) > MOST_LINES:
        raise Wrong(f"the document has {len(lines)} lines; the limit is {MOST_LINES}")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("results")
    parser.add_argument("parts", nargs="+", choices=PARTS)
    options = parser.parse_args()
    results = Results(options.results)
    tables_of_parts: dict[str, list[Figure]] = {}
    wrong = []
    for part in options.parts:
        try:
            tables_of_parts[part] = PARTS[part][1](results)
        except Wrong as error:
            wrong.append(f"{part}: {error}")
    for part, figures in tables_of_parts.items():
        print(f"{PARTS[part][0]}\n{text_table(figures)}\n")
    for error in wrong:
        print(f"report.py: {error}", file=sys.stderr)
    missed = sum(not figure.is_met for figures in tables_of_parts.values() for figure in figures)
    total = sum(map(len, tables_of_parts.values()))
    print(f"{missed} of {total} figures miss their targets" + (" (not valid: few rounds)" if options.quick else ""))
    if options.write and not wrong:
        text = document(tables_of_parts)
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(text)
        print(f"written: {options.write}")
    sys.exit(1 if wrong or missed and not options.quick else 0)


if __name__ == "__main__":
    main()
