# SPDX-License-Identifier: Apache-2.0
"""idle.py NAME PID SECONDS: measures the cost of an idle process.

Prints one JSON object: private dirty and resident memory in bytes, the number of threads, and the context switches of
all threads in SECONDS, which are an upper bound for the wake-ups.
"""

import json
import os
import sys
import time


def memory(pid: int) -> dict[str, int]:
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as lines:
        fields = dict(line.split(":", 1) for line in lines if line.endswith("kB\n"))
    return {name: int(value.split()[0]) * 1024 for name, value in fields.items()}


def switches(pid: int) -> dict[str, int]:
    """Return the number of context switches of each thread."""
    found = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/status", encoding="utf-8") as lines:
            found[thread] = sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return found


def main() -> None:
    name, pid, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    before = switches(pid)
    time.sleep(seconds)
    after = switches(pid)
    sizes = memory(pid)
    print(
        json.dumps(
            {
                "name": name,
                "seconds": seconds,
                "private_dirty": sizes["Private_Dirty"],
                "resident": sizes["Rss"],
                "threads": len(after),
                "wakeups": sum(count - before.get(thread, 0) for thread, count in after.items()),
            }
        )
    )


if __name__ == "__main__":
    main()
