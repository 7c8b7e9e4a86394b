# SPDX-License-Identifier: Apache-2.0
"""tables.py prepare FILE ROWS: makes an SQLite file with the table Sales, 8 columns, and FirstSales with its first 1,000 rows.
tables.py measure FILE TRIPS DIRECTORY: reads and exports Sales of the endpoint `tables` by relctl, and the same rows
by sqlite3, alternately. Prints a line of JSON for each time: name, p50 in nanoseconds.
tables.py filter ROWS ROUNDS: makes the rows of `table-probe write` in memory, and counts those of each condition.
tables.py sort ROWS ROUNDS: makes the same rows in memory, and sorts them by two keys, in two ways.
tables.py sum ORDERS ROUNDS: makes the rows of `table-probe sum` in memory, and sums the details of each order.
tables.py import FILE TRIPS DIRECTORY: imports 100,000 rows into Sales of the endpoint `tables` by relctl, and the same
rows into a new file by sqlite3, alternately.
tables.py browse FILE TRIPS: opens 1,000 rows of the endpoint `tables` on a terminal by relctl, and prints the same rows
there by sqlite3, alternately, until the screen is full.
tables.py extension FILE TRIPS SERVICE: reads Sales of the endpoint `tables` by relctl, as CSV and as Arrow, and with the
extension FILE by sqlite3, alternately. Every value of the rows is made. SERVICE is the process ID of the Data API. Prints the
processor time of relctl with its helper, and of sqlite3 with SERVICE.
tables.py edit FILE TRIPS PROBE: changes and adds 10,000 rows of Sales through the endpoint `tables` by `table-probe`, and
in a transaction on the file, alternately.

relctl, its server and the daemon work at the same time on all cores; sqlite3 works alone on one.
"""

import fcntl
import json
import os
import pty
import random
import resource
import sqlite3
import struct
import subprocess
import sys
import termios
import time

TABLE = "Sales"
COLUMNS = """
    Id INTEGER PRIMARY KEY, Customer INTEGER NOT NULL, Name TEXT NOT NULL, City TEXT, Quantity INTEGER NOT NULL,
    Weight REAL, Paid BOOLEAN NOT NULL, Note TEXT
"""
CITIES = ["Berlin", "Oslo", "Reykjavík", "Zürich", "São Paulo", "New York", None]


def prepare(path: str, rows: int) -> None:
    chance = random.Random(1)
    database = sqlite3.connect(path)
    database.execute(f"CREATE TABLE {TABLE} ({COLUMNS})")
    database.executemany(
        f"INSERT INTO {TABLE} VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                number,
                chance.randrange(50_000),
                f"Customer {number % 50_000}",
                CITIES[number % len(CITIES)],
                chance.randrange(1_000),
                chance.random() * 100,
                number % 2,
                None if number % 3 else "delivered to the neighbour",
            )
            for number in range(1, rows + 1)
        ),
    )
    database.execute(f"CREATE TABLE First{TABLE} ({COLUMNS})")
    database.execute(f"INSERT INTO First{TABLE} SELECT * FROM {TABLE} ORDER BY Id LIMIT 1000")
    database.commit()
    database.close()


def timed(name: str, command: list[str], output: str, errors: str) -> None:
    with open(output, "wb") as out, open(errors, "wb") as err:
        start = time.monotonic_ns()
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, check=False).returncode
        elapsed = time.monotonic_ns() - start
    if status != 0:
        sys.exit(f"tables.py: {' '.join(command)}: {open(errors, encoding='utf-8', errors='replace').read()}")
    print(json.dumps({"name": name, "p50": elapsed}), flush=True)


def first_row(name: str, command: list[str]) -> None:
    """The time from the start of the command to its first byte."""
    start = time.monotonic_ns()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        process.stdout.read(1)
        elapsed = time.monotonic_ns() - start
        process.kill()
    print(json.dumps({"name": name, "p50": elapsed}), flush=True)


def lines(path: str) -> int:
    with open(path, "rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def measure(path: str, trips: int, directory: str) -> None:
    ours, theirs, errors = (os.path.join(directory, name) for name in ("ours.csv", "theirs.csv", "errors"))
    for _ in range(trips):
        timed("table get", ["relctl", "table", "get", "tables", TABLE, "--format", "csv"], ours, errors)
        timed("sqlite3 -csv", ["sqlite3", "-csv", "-header", path, f"SELECT * FROM {TABLE}"], theirs, errors)
    if lines(ours) != lines(theirs):
        sys.exit(f"tables.py: {lines(ours)} lines of relctl, {lines(theirs)} of sqlite3")
    exported, imported = os.path.join(directory, "exported.db"), os.path.join(directory, "imported.db")
    for _ in range(trips):
        for made in (exported, imported):
            if os.path.exists(made):
                os.unlink(made)
        timed("table export", ["relctl", "table", "export", "tables", TABLE, "--to", exported], os.devnull, errors)
        script = [f"CREATE TABLE {TABLE} ({COLUMNS})", f".import --csv --skip 1 {theirs} {TABLE}"]
        timed("sqlite3 .import", ["sqlite3", imported, *script], os.devnull, errors)
    counts = [
        sqlite3.connect(made).execute(f"SELECT count(*), sum(Quantity) FROM {TABLE}").fetchone()
        for made in (path, exported)
    ]
    if counts[0] != counts[1]:
        sys.exit(f"tables.py: the export has {counts[1]}, the original {counts[0]}")


# Tests/Tools/table-probe has the same conditions as predicates, in this order.
CONDITIONS = [
    "Id > 900000", "City = 'Köln'", "Name GLOB 'Client 99*'", "City IN ('Ulm', 'Berlin')",
    "Turnover BETWEEN 10000000 AND 500000000", "Name GLOB '*99*'", "City LIKE 'k%'", "Discount IS NULL OR Orders < 10",
]  # fmt: skip


def clients(rows: int) -> sqlite3.Connection:
    """Turnover is the amount times 10,000. There is no primary key, because predicates have no index either."""
    cities = ["Berlin", "Hamburg", "Köln", "Ulm", "Garmisch-Partenkirchen"]
    database = sqlite3.connect(":memory:")
    database.execute(
        "CREATE TABLE Clients (Id INTEGER, Name TEXT, City TEXT, Since REAL, Turnover INTEGER, Orders INTEGER,"
        " IsActive INTEGER, Discount REAL)"
    )
    database.executemany(
        "INSERT INTO Clients VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (row, f"Client {row}", cities[row % 5], 40_000 + row / 64, row * 12_345, row % 1000, row % 3 == 0,
             None if row % 8 == 7 else row % 100 / 128)
            for row in range(rows)
        ),
    )  # fmt: skip
    return database


def filter_rows(rows: int, rounds: int) -> None:
    database = clients(rows)
    for number, condition in enumerate(CONDITIONS):
        for _ in range(rounds):
            start = time.monotonic_ns()
            (count,) = database.execute(f"SELECT count(*) FROM Clients WHERE {condition}").fetchone()
            elapsed = time.monotonic_ns() - start
            print(json.dumps({"name": f"condition {number}", "p50": elapsed, "rows": count}), flush=True)


# Tests/Tools/table-probe has the same orders.
ORDERS = ["City, Name DESC", "Orders, Since DESC"]


def sort_rows(rows: int, rounds: int) -> None:
    """All rows are sorted before the first one is returned. The row in the middle is compared."""
    database = clients(rows)
    for number, order in enumerate(ORDERS):
        for _ in range(rounds):
            start = time.monotonic_ns()
            sorted_rows = database.execute(f"SELECT Id FROM Clients ORDER BY {order}")
            sorted_rows.fetchone()
            elapsed = time.monotonic_ns() - start
            (row,) = sorted_rows.fetchall()[rows // 2 - 1]
            print(json.dumps({"name": f"ORDER BY {number}", "p50": elapsed, "row": row}), flush=True)


def sum_details(orders: int, rounds: int) -> None:
    """The tables have their natural keys. The calculated field has no key: it makes an index for each sum."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE Orders (Id INTEGER PRIMARY KEY, Client TEXT)")
    columns = '"Order" INTEGER, Product INTEGER, Amount INTEGER, Price INTEGER, PRIMARY KEY ("Order", Product)'
    database.execute(f"CREATE TABLE OrderDetails ({columns})")
    database.executemany("INSERT INTO Orders VALUES (?, ?)", ((order, f"Client {order}") for order in range(orders)))
    database.executemany(
        "INSERT INTO OrderDetails VALUES (?, ?, ?, ?)",
        ((detail % orders, detail // orders, detail % 7 + 1, detail % 1_000 * 2_500) for detail in range(10 * orders)),
    )
    join = 'SELECT Id, sum(Amount * Price) AS Total FROM Orders LEFT JOIN OrderDetails ON "Order" = Id GROUP BY Id'
    for _ in range(rounds):
        start = time.monotonic_ns()
        (total,) = database.execute(f"SELECT sum(Total) FROM ({join})").fetchone()
        elapsed = time.monotonic_ns() - start
        print(json.dumps({"name": "joined sum", "p50": elapsed, "total": total}), flush=True)


EDITS = 10_000
IMPORTED = 100_000


def changed(value: object, name: str) -> object:
    """As in Tests/Tools/table-probe: a delta has all fields of a row, so the transaction sets all."""
    match value:
        case None:
            return None
        case str():
            return value[:-1] if value.endswith("+") else value + "+"
        case _ if name == "Paid":
            return 1 - value
        case _:
            return value + 1


def edit(path: str, trips: int, program: str) -> None:
    probe = f'{program} "$0" "$RELATIVITYD_ADAPTER_SOCKET" "$RELATIVITYD_DATA_SERVICE" {TABLE} {EDITS}'
    database = sqlite3.connect(path, timeout=60, isolation_level=None)
    rows = database.execute(f"SELECT * FROM {TABLE} LIMIT {EDITS}").fetchall()
    names = [column[1] for column in database.execute(f"PRAGMA table_info({TABLE})")]
    settings = ", ".join(f"{name} = ?" for name in names[1:])
    places = ", ".join("?" * 7)
    for _ in range(trips):
        for kind in ("updates", "inserts"):
            command = ["relctl", "adapter", "run", "tables", "--", "sh", "-c", probe, kind]
            print(subprocess.run(command, check=True, capture_output=True, text=True).stdout, end="", flush=True)
        updates = [
            (*(changed(value, name) for value, name in zip(row[1:], names[1:])), row[0])
            for row in database.execute(f"SELECT * FROM {TABLE} LIMIT {EDITS}")
        ]
        start = time.monotonic_ns()
        database.execute("BEGIN IMMEDIATE")
        database.executemany(f"UPDATE {TABLE} SET {settings} WHERE Id = ?", updates)
        database.execute("COMMIT")
        middle = time.monotonic_ns()
        database.execute("BEGIN IMMEDIATE")
        database.executemany(
            f"INSERT INTO {TABLE} (Customer, Name, City, Quantity, Weight, Paid, Note) VALUES ({places})",
            [row[1:] for row in rows],
        )
        database.execute("COMMIT")
        end = time.monotonic_ns()
        for name, elapsed in (("transaction of updates", middle - start), ("transaction of inserts", end - middle)):
            print(json.dumps({"name": name, "p50": elapsed}), flush=True)


def import_rows(path: str, trips: int, directory: str) -> None:
    file, made, errors = (os.path.join(directory, name) for name in ("new.csv", "made.db", "errors"))
    with open(file, "wb") as out:
        fields = "Customer, Name, City, Quantity, Weight, Paid, Note"
        select = f"SELECT {fields} FROM {TABLE} LIMIT {IMPORTED}"
        subprocess.run(["sqlite3", "-csv", "-header", path, select], stdout=out, check=True)
    expected = lines(file) - 1
    columns = COLUMNS.split(",", 1)[1]
    for _ in range(trips):
        if os.path.exists(made):
            os.unlink(made)
        timed("table import", ["relctl", "table", "import", "tables", TABLE, file], os.devnull, errors)
        script = [f"CREATE TABLE {TABLE} ({columns})", f".import --csv --skip 1 {file} {TABLE}"]
        timed("sqlite3 .import of these rows", ["sqlite3", made, *script], os.devnull, errors)
        database = sqlite3.connect(path, timeout=60)
        (found,) = database.execute(f"SELECT count(*) FROM {TABLE}").fetchone()
        database.execute(f"DELETE FROM {TABLE} WHERE Id > ?", (found - expected,))
        database.commit()


def on_terminal(name: str, command: list[str]) -> None:
    """The time from the start of the command until the rows are on the screen. Then q ends it."""
    start = time.monotonic_ns()
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    shown = b""
    while b"Customer 12" not in shown:
        try:
            shown += os.read(terminal, 1 << 16)
        except OSError:
            sys.exit(f"tables.py: {' '.join(command)}: {shown.decode(errors='replace')}")
    elapsed = time.monotonic_ns() - start
    try:
        os.write(terminal, b"q")
        while os.read(terminal, 1 << 16):
            pass
    except OSError:
        # The terminal is gone with its last process.
        pass
    (_, status) = os.waitpid(child, 0)
    os.close(terminal)
    if status != 0:
        sys.exit(f"tables.py: {' '.join(command)}: status {status}")
    print(json.dumps({"name": name, "p50": elapsed}), flush=True)


def browse(path: str, trips: int) -> None:
    for _ in range(trips):
        on_terminal("table browse", ["relctl", "table", "browse", "tables", f"First{TABLE}"])
        on_terminal("sqlite3 -column", ["sqlite3", "-column", path, f"SELECT * FROM First{TABLE}"])


def extension(path: str, trips: int, service: int) -> None:
    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(f"/proc/{service}/stat", encoding="utf-8") as file:
            ticks = file.read().rsplit(")", 1)[1].split()[11:13]
        return children.ru_utime + children.ru_stime + sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    counts = ", ".join(f"count({column.split()[0]})" for column in COLUMNS.replace("\n", " ").split(",") if column.strip())
    statements = [f".load {path}", f"CREATE VIRTUAL TABLE temp.s USING relativity('tables', '{TABLE}')", f"SELECT {counts} FROM s"]
    get = ["relctl", "table", "get", "tables", TABLE, "--format"]
    for _ in range(trips):
        for name, command in [
            ("CPU of table get", [*get, "csv"]),
            ("CPU of Arrow", [*get, "arrow"]),
            ("CPU of the extension", ["sqlite3", ":memory:", *statements]),
        ]:
            before = used()
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
            print(json.dumps({"name": name, "p50": (used() - before) * 1e9}), flush=True)


def main() -> None:
    match sys.argv[1:]:
        case ["prepare", path, rows]:
            prepare(path, int(rows))
        case ["measure", path, trips, directory]:
            measure(path, int(trips), directory)
        case ["sum", orders, rounds]:
            sum_details(int(orders), int(rounds))
        case ["import", path, trips, directory]:
            import_rows(path, int(trips), directory)
        case ["browse", path, trips]:
            browse(path, int(trips))
        case ["extension", path, trips, service]:
            extension(path, int(trips), int(service))
        case ["edit", path, trips, program]:
            edit(path, int(trips), program)
        case ["sort", rows, rounds]:
            sort_rows(int(rows), int(rounds))
        case ["filter", rows, rounds]:
            filter_rows(int(rows), int(rounds))
        case _:
            sys.exit(__doc__)


main()
