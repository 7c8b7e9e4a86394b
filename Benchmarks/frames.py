# SPDX-License-Identifier: Apache-2.0
"""frames.py TRIPS OUTPUT: reads the table Sales of the endpoint `tables` by the Python package in three ways, and by relctl as
Arrow into the file OUTPUT, alternately. Prints a line of JSON for each: name, p50, the CPU time in nanoseconds of the client
and of the helper for data; and for both daemons, how many bytes their resident memory grew after the first round.

Uses pandas, Polars and PyArrow, and the package in python/src.
"""

import gc
import json
import os
import resource
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable

import pandas  # noqa: F401
import polars  # noqa: F401
import pyarrow  # noqa: F401
import relativity
from relativity import _varlink


def server_of(path: str) -> int:
    """The process that listens on a socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        found: int = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        return found


def seconds_of(process: int) -> float:
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(process: int) -> int:
    with open(f"/proc/{process}/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def show(name: str, **values: float) -> None:
    print(json.dumps({"name": name, **values}), flush=True)


def by_relctl(output: str) -> None:
    """The job of relctl is its child, so its time is in that of relctl."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(output, "wb") as file:
        subprocess.run(["relctl", "table", "get", "tables", "Sales", "--format", "arrow"], stdout=file, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    show("get as Arrow", p50=1e9 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


def by_package(name: str, read: Callable[[], object], helper: int) -> None:
    before = time.process_time() + seconds_of(helper)
    frame = read()
    show(name, p50=1e9 * (time.process_time() + seconds_of(helper) - before))
    del frame
    gc.collect()


def main() -> None:
    trips, output = int(sys.argv[1]), sys.argv[2]
    daemons = {"helper": server_of(_varlink.data_socket()), "daemon": server_of(_varlink.daemon_socket())}
    first: dict[str, int] = {}
    with relativity.open("tables") as server:
        sales = server.table("Sales")
        for _ in range(trips):
            by_relctl(output)
            for read in (sales.to_arrow, sales.to_polars):
                by_package(read.__name__, read, daemons["helper"])
            by_package("to_pandas", lambda: sales.to_pandas(dtype_backend="pyarrow"), daemons["helper"])
            first = first or {name: resident(process) for name, process in daemons.items()}
    for name, process in daemons.items():
        show(f"growth of the {name}", bytes=resident(process) - first[name])


main()
