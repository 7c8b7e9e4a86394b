# SPDX-License-Identifier: Apache-2.0
"""The report, as Markdown. Each limit has a verdict."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from samples import Sample, growth, percentile

# The growth of private memory after the first quarter, in KiB.
GROWTH = 2048


@dataclass
class Report:
    lines: list[str] = field(default_factory=list)
    failed: int = 0

    def title(self, text: str) -> None:
        self.lines += ["", f"## {text}", ""]

    def say(self, text: str) -> None:
        self.lines.append(text)

    def table(self, head: list[str], rows: Iterable[list[str]]) -> None:
        self.lines += ["", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        self.lines += [f"| {' | '.join(row)} |" for row in rows]
        self.lines.append("")

    def verdict(self, isMet: bool) -> str:
        self.failed += not isMet
        return "ok" if isMet else "FAILED"

    def limit(self, what: str, isMet: bool, limit: str) -> None:
        self.say(f"- {self.verdict(isMet)}: {what} (limit: {limit})")

    def list(self, texts: list[str], most: int = 20) -> None:
        self.lines += [f"    - {text}" for text in texts[:most]]
        if len(texts) > most:
            self.lines.append(f"    - and {len(texts) - most} more")

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def memory(report: Report, series: dict[str, list[Sample]], judged: set[str]) -> None:
    rows = []
    for name, samples in series.items():
        pids = {sample.pid for sample in samples}
        if len(samples) < 4 or len(pids) > 1:
            most = max((sample.private for sample in samples), default=0)
            rows.append([name, str(len(samples)), "", "", "", f"{most:,}", "", f"{len(pids)} processes"])
            continue
        first, last, slope = growth(samples)
        seconds = samples[-1].moment - samples[0].moment
        switches = (samples[-1].switches - samples[0].switches) / seconds
        load = (samples[-1].processor - samples[0].processor) / seconds
        verdict = report.verdict(last - first <= GROWTH) if name in judged else "not judged"
        rows.append([
            name, str(len(samples)), f"{first:,.0f}", f"{last:,.0f}", f"{slope:+,.0f}",
            f"{samples[-1].resident:,} / {samples[-1].pss:,}", f"{switches:,.0f}; {100 * load:.1f} %", verdict,
        ])  # fmt: skip
    report.table(
        [
            "Process", "Samples", "Private KiB after a quarter", "at the end", "slope per hour", "RSS / PSS at the end",
            "Switches per second; processor", f"growth of at most {GROWTH:,} KiB",
        ],
        rows,
    )  # fmt: skip


def idle(report: Report, title: str, window: dict[str, tuple[Sample, Sample]]) -> None:
    report.table(
        ["Process", f"{title}: switches per second", "Threads", "Descriptors"],
        (
            [name, f"{(last.switches - first.switches) / (last.moment - first.moment):.2f}", str(last.threads),
             str(last.descriptors)]
            for name, (first, last) in window.items()
        ),
    )  # fmt: skip


def latencies(report: Report, found: dict[str, list[float]]) -> None:
    report.table(
        ["What", "Count", "Median ms", "p99 ms", "Max ms"],
        (
            [name, str(len(values)), *(f"{1000 * percentile(values, share):,.1f}" for share in (0.5, 0.99, 1))]
            for name, values in sorted(found.items())
        ),
    )
