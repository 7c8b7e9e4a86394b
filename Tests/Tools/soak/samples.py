# SPDX-License-Identifier: Apache-2.0
"""Memory, descriptors, threads, context switches and processor time of processes, over time."""

import os
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Sample:
    """Memory in KiB, processor time in seconds."""

    moment: float
    pid: int
    private: int
    resident: int
    pss: int
    descriptors: int
    threads: int
    switches: int
    processor: float


def take(pid: int) -> Sample | None:
    try:
        sizes: dict[str, int] = {}
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.endswith("kB"):
                name, value = line.split(":", 1)
                sizes[name] = int(value.split()[0])
        switches, threads = 0, os.listdir(f"/proc/{pid}/task")
        for thread in threads:
            for line in Path(f"/proc/{pid}/task/{thread}/status").read_text(encoding="utf-8").splitlines():
                if "ctxt_switches" in line:
                    switches += int(line.split()[1])
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        return Sample(
            time.monotonic(), pid, sizes["Private_Dirty"], sizes["Rss"], sizes["Pss"],
            len(os.listdir(f"/proc/{pid}/fd")), len(threads), switches, (int(fields[11]) + int(fields[12])) / TICKS,
        )  # fmt: skip
    except (OSError, KeyError, IndexError):
        return None


class Sampler:
    """Samples named processes every few seconds, on a thread. A name may be another process later."""

    def __init__(self, processes: dict[str, Callable[[], int]], seconds: float) -> None:
        self.processes = processes
        self.series: dict[str, list[Sample]] = {name: [] for name in processes}
        self.ending = threading.Event()
        self.seconds = seconds
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self) -> None:
        while True:
            for name, pid in self.processes.items():
                sample = take(pid())
                if sample:
                    self.series[name].append(sample)
            if self.ending.wait(self.seconds):
                return

    def stop(self) -> None:
        self.ending.set()
        self.thread.join(30)

    def window(self, seconds: float) -> dict[str, tuple[Sample, Sample]]:
        """Samples at the begin and the end of a time."""
        before = {name: take(pid()) for name, pid in self.processes.items()}
        time.sleep(seconds)
        after = {name: take(pid()) for name, pid in self.processes.items()}
        return {
            name: (first, last)
            for name, first in before.items()
            if first and (last := after[name]) and first.pid == last.pid
        }


def growth(series: list[Sample]) -> tuple[float, float, float]:
    """Private memory in KiB after the first quarter and at the end, and the growth of the rest per hour.

    Each is from medians of sixths, because an unlocking of the vault takes much memory for a moment.
    """
    rest = series[len(series) // 4 :]
    parts = [rest[number * len(rest) // 6 : (number + 1) * len(rest) // 6] for number in range(6)]
    parts = [part for part in parts if part]
    sizes = [float(statistics.median(sample.private for sample in part)) for part in parts]
    if len(parts) < 2:
        return sizes[0], sizes[0], 0
    slope = statistics.linear_regression([part[len(part) // 2].moment for part in parts], sizes).slope
    return sizes[0], sizes[-1], slope * 3600


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
