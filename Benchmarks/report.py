# SPDX-License-Identifier: Apache-2.0
"""report.py RESULTS: prints the table at the end of `make bench`.

RESULTS has one JSON object per line, in the format of the peers. If a measure was taken several times, the median of
its figures is used. Exits with status 1 if a target is missed.
"""

import json
import statistics
import sys
from collections import defaultdict

MILLISECOND = 1e6
MICROSECOND = 1e3
MEGABYTE = 1e6
# The predicates of table-probe in words, in its order.
PREDICATES = ["on a number", "==", "BEGINSWITH", "IN", "BETWEEN", "LIKE", "LIKE[c]", "with OR"]


def read(path: str) -> dict[str, dict[str, float]]:
    """Return the medians by measure and field."""
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

    def list_rows(count: int, most: float) -> list[tuple]:
        ours, browse, cached = f"relctl list of {count}", f"avahi-browse -rpt of {count}", f"avahi-browse -cpt of {count}"
        warm, printer = f"{browse} beside relativityd", f"print_list of {count}"
        faster = p50(browse) / p50(ours)
        return [
            (f"{ours} : avahi-browse -rpt", beside(ours, browse, MILLISECOND),
             f"{faster:.0f} times faster", "100 times", faster >= 100),
            ("the same, relativityd running beside avahi-browse", beside(ours, warm, MILLISECOND),
             f"{p50(warm) / p50(ours):.0f} times faster", "none", None),
            (f"{ours} : avahi-browse -cpt", beside(ours, cached, MILLISECOND),
             f"{p50(ours) / p50(cached):.2f}", "1.00", p50(ours) <= p50(cached)),
            (f"{ours} : C program, same bytes", beside(ours, printer, MILLISECOND),
             f"{p50(ours) / p50(printer):.2f}", f"{most:.2f}", p50(ours) <= most * p50(printer)),
        ]  # fmt: skip

    def decode_row(shape: str, what: str) -> tuple:
        ours, theirs = f"decode {shape}", f"copy {shape}"
        speed = {name: results[name]["bytes"] / p50(name) * 1e9 / MEGABYTE for name in (ours, theirs)}
        target = min(500, speed[theirs] / 2)
        return (f"decode {what}, 1 MB : C, checked copy", beside(ours, theirs, MICROSECOND),
                f"{speed[ours]:.0f} MB/s", f"{target:.0f} MB/s", speed[ours] >= target)  # fmt: skip

    def predicate_rows() -> list[tuple]:
        rows = []
        for number, predicate in enumerate(PREDICATES):
            ours, theirs = f"predicate {number}", f"condition {number}"
            if results[ours]["rows"] != results[theirs]["rows"]:
                sys.exit(f"report.py: {predicate} selects other rows than sqlite3")
            rate = p50(ours) / p50(theirs)
            rows.append((f"predicate {predicate} : sqlite3 in memory", beside(ours, theirs, MILLISECOND),
                         f"{rate:.2f}", "1.00", rate <= 1))  # fmt: skip
        return rows

    def scan_row() -> tuple:
        ours, theirs = results["decode table"], results["scan table"]
        if ours["checksum"] != theirs["checksum"]:
            sys.exit("report.py: the two decoders of a table have read different values")
        speed, scan = (each["bytes"] / each["p50"] * 1e9 / MEGABYTE for each in (ours, theirs))
        target = min(300, scan / 2)
        return (f"decode a table of {ours['rows']:,.0f} rows in {ours['memory'] / 1024:.0f} MiB : C, checked",
                beside("decode table", "scan table", MILLISECOND),
                f"{speed:.0f} MB/s", f"{target:.0f} MB/s", speed >= target)  # fmt: skip

    def call_rows() -> list[tuple]:
        def by_one(way: str, other: str, target: float | None) -> tuple:
            ours, theirs = f"call by 1, {way}", f"call by 1, {other}"
            slower = p50(ours) / p50(theirs)
            return (f"call, {way} : {other}", beside(ours, theirs, MICROSECOND), f"{slower:.2f}",
                    f"{target:.2f}" if target else "none", slower <= target if target else None)  # fmt: skip

        def by_many(way: str, other: str, target: float | None) -> tuple:
            ours, theirs = results[f"call by 16, {way}"]["rate"], results[f"call by 16, {other}"]["rate"]
            rate = ours / theirs
            return (f"calls by 16, {way} : {other}", f"{ours:.0f}/s : {theirs:.0f}/s", f"{rate:.2f}",
                    f"{target:.2f}" if target else "none", rate >= target if target else None)  # fmt: skip

        return [
            by_one("adapter", "direct", None), by_one("forwarder", "direct", None), by_one("adapter", "forwarder", 1.1),
            by_many("adapter", "direct", None), by_many("forwarder", "direct", None), by_many("adapter", "forwarder", 0.8),
        ]  # fmt: skip

    def table_row(ours: str, theirs: str, target: float) -> tuple:
        slower = p50(ours) / p50(theirs)
        return (f"{ours} : {theirs}", beside(ours, theirs, MILLISECOND), f"{slower:.2f}", f"{target:.2f}", slower <= target)

    def sum_row() -> tuple:
        if results["calculated sum"]["total"] != results["joined sum"]["total"]:
            sys.exit("report.py: a calculated field and sqlite3 have different sums")
        return table_row("calculated sum", "joined sum", 2)

    def view_rows() -> list[tuple]:
        rows = []
        for number, order in enumerate(["texts", "numbers"]):
            ours, theirs = f"sort {number}", f"ORDER BY {number}"
            if results[ours]["row"] != results[theirs]["row"]:
                sys.exit(f"report.py: a view sorted by {order} has other rows than sqlite3")
            rate = p50(ours) / p50(theirs)
            rows.append((f"view sorted by two {order} : sqlite3 in memory", beside(ours, theirs, MILLISECOND),
                         f"{rate:.2f}", "2.00", rate <= 2))  # fmt: skip
        if results["open briefcase"]["checksum"] != results["decode in memory"]["checksum"]:
            sys.exit("report.py: a briefcase has other values than the stream")
        page = p50("page of a view")
        return [
            *rows,
            ("slowest page of the view", times("page of a view", MILLISECOND), "", "16 ms", page <= 16 * MILLISECOND),
            table_row("open briefcase", "decode in memory", 1.5),
        ]

    def stream_row(other: str, target: float | None) -> tuple:
        ours, theirs = results["stream, adapter"]["rate"], results[f"stream, {other}"]["rate"]
        rate = ours / theirs
        return (f"a long reply, adapter : {other}", f"{ours / MEGABYTE:.0f} MB/s : {theirs / MEGABYTE:.0f} MB/s", f"{rate:.2f}",
                f"{target:.2f}" if target else "none", rate >= target if target else None)  # fmt: skip

    idle, filled, peer = results["idle"], results["1000 endpoints"], results["python-zeroconf"]
    growth = p50("relctl list of 1000") / p50("relctl list of 200")
    each = (filled["private_dirty"] - idle["private_dirty"]) / 1000
    echo = p50("API") / p50("echo")
    bus = p50("API") / p50("D-Bus")
    python = p50("API") / p50("varlink (PyPI)")
    p99 = {when: results[f"API, {when}"]["p99"] for when in ("quiet", "unlocking")}
    lag = p50("lag") / MILLISECOND
    dirty = idle["private_dirty"] / MEGABYTE
    resident = idle["resident"] / MEGABYTE
    wakeups = idle["wakeups"]
    vault = results["vault"]
    save = vault["save"] / vault["bare"]
    unlock = vault["unlock"] / MILLISECOND
    version = p50("relctl --version")
    warm = p50("adapter open") / p50("status")
    open_adapters = results["adapters"]
    rows = [
        ("relctl --version", "", times("relctl --version", MILLISECOND), "3 ms", version <= 3 * MILLISECOND),
        *list_rows(200, 4),
        *list_rows(1000, 5),
        ("List of 1,000, asked by a C client", "", times("List of 1000", MILLISECOND),
         "1 ms", p50("List of 1000") <= MILLISECOND),
        ("the same after a change", "", times("List of 1000 after a change", MILLISECOND), "none", None),
        ("relctl list, 1,000 services : 200", beside("relctl list of 1000", "relctl list of 200", MILLISECOND),
         f"{growth:.2f}", "5.00", growth <= 5),
        ("private dirty of an endpoint, at 1,000", "", f"{each:.0f} bytes", "3072", each <= 3072),
        (f"resident at 1,000 : python-zeroconf with {peer['services']:.0f}",
         f"{filled['resident'] / MEGABYTE:.1f} MB : {peer['resident'] / MEGABYTE:.1f} MB",
         f"{filled['resident'] / peer['resident']:.2f}", "1.00", filled["resident"] <= peer["resident"]),
        ("10,000 sightings applied, watched", "", f"{results['registry']['applied'] / MILLISECOND:.1f} ms", "50 ms",
         results["registry"]["applied"] <= 50 * MILLISECOND),
        ("new service in relctl watch after avahi-browse -pr", f"lost {results['lag']['lost']:.0f}",
         f"{lag:.2f} ms", "2 ms, none lost", lag <= 2 and results["lag"]["lost"] == 0),
        ("one change to 100 watchers", "", times("fan-out", MILLISECOND), "2 ms", p50("fan-out") <= 2 * MILLISECOND),
        ("API round trip : C epoll echo, one core", beside("API", "echo", MICROSECOND),
         f"{echo:.2f}", "2.30", echo <= 2.3),
        ("API round trip, p99, while the vault is unlocked : else",
         f"{p99['unlocking'] / MICROSECOND:.1f} us : {p99['quiet'] / MICROSECOND:.1f} us",
         f"{p99['unlocking'] / p99['quiet']:.2f}", "5.00", p99["unlocking"] <= 5 * p99["quiet"]),
        ("API round trip : D-Bus call to the bus", beside("API", "D-Bus", MICROSECOND), f"{bus:.2f}", "1.00", bus < 1),
        ("API round trip : server with PyPI's varlink", beside("API", "varlink (PyPI)", MICROSECOND),
         f"{python:.2f}", "1.00", python < 1),
        ("one more adapter : API status call", beside("adapter open", "status", MICROSECOND),
         f"{warm:.2f}", "1.50", warm <= 1.5),
        *call_rows(),
        stream_row("forwarder", 0.8),
        stream_row("direct", None),
        table_row("table get", "sqlite3 -csv", 3),
        table_row("table export", "sqlite3 .import", 2),
        ("table browse of 1,000 rows, to the screen", "", times("table browse", MILLISECOND), "100 ms",
         p50("table browse") <= 100 * MILLISECOND),
        table_row("table import", "sqlite3 .import of these rows", 4),
        table_row("call of updates", "transaction of updates", 3),
        ("the same with the comparison of old values", times("apply of updates", MILLISECOND),
         f"{p50('apply of updates') / p50('transaction of updates'):.2f}", "none", None),
        table_row("call of inserts", "transaction of inserts", 10),
        sum_row(),
        (f"private dirty of an adapter, at {open_adapters['count']:.0f}", "", f"{open_adapters['each']:.0f} bytes", "8192",
         open_adapters["each"] <= 8192),
        (f"save of 100 logins : bare write, fsync, rename, fsync of {vault['bytes'] / 1e3:.0f} KB",
         f"{vault['save'] / MILLISECOND:.2f} ms : {vault['bare'] / MILLISECOND:.2f} ms",
         f"{save:.2f}", "3.00", save <= 3),
        ("unlock of 100 logins without scrypt", "", f"{unlock:.2f} ms", "20 ms", unlock <= 20),
        ("list of 100 logins, with a look at the file", "", f"{vault['list'] / MILLISECOND:.2f} ms", "none", None),
        decode_row("binary", "one Binary"),
        decode_row("structs", "12,500 structs"),
        scan_row(),
        *predicate_rows(),
        *view_rows(),
        ("idle, private dirty", f"{idle['threads']:.0f} threads", f"{dirty:.2f} MB", "3 MB", dirty <= 3),
        ("idle, resident", "", f"{resident:.2f} MB", "none", None),
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
