# SPDX-License-Identifier: Apache-2.0
"""A LAN of namespaces, and programs on its hosts."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

TOOLS = Path(__file__).resolve().parent.parent


def children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text(encoding="ascii").split())
    except OSError:
        pass
    return found


class Program:
    """A program on a host, or here. `pid` is the ID of the program itself, outside the host."""

    def __init__(self, process: "subprocess.Popen[str]", nested: bool) -> None:
        self.process = process
        self.pid = process.pid
        deadline = time.monotonic() + 20
        while nested:
            found = children(process.pid)
            if found:
                self.pid = found[0]
                return
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{process.args!r} does not run")
            time.sleep(0.005)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None

    def send(self, number: int) -> None:
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def end(self, number: int = signal.SIGTERM) -> int:
        self.send(number)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            return self.process.wait(30)


@dataclass
class Result:
    status: int
    output: str
    errors: str
    began: float
    ended: float


class LAN:
    """Hosts 1 to COUNT, as lan.sh makes them. Host 1 and 2 have avahi-daemon."""

    def __init__(self, directory: Path, count: int) -> None:
        self.directory = directory
        bare = " ".join(str(host) for host in range(3, count + 1))
        self.environment = {
            **os.environ, "LAN_DIR": str(directory), "LAN_BARE": bare, "LAN_AVAHI": "cache-entries-max=65536",
        }  # fmt: skip
        self.script("up", str(count))

    def script(self, *arguments: str) -> str:
        command = [str(TOOLS / "lan.sh"), *arguments]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout

    def on(self, host: int, command: Sequence[str]) -> list[str]:
        init = (self.directory / str(host) / "init").read_text(encoding="ascii").split()[0]
        spaces = ["--net", "--mount", "--uts", "--ipc", "--pid", "--root", "--wd=/"]
        return ["nsenter", "--target", init, *spaces, "--", *command]

    def start(
        self, host: int, command: Sequence[str], environment: dict[str, str], log: Path, output: bool = False
    ) -> Program:
        """Start a program with its output in `log`. With `output`, its standard output is a pipe."""
        with open(log, "a", encoding="utf-8") as file:
            process = subprocess.Popen(
                self.on(host, command), env=environment, stdin=subprocess.PIPE, text=True, errors="replace",
                stdout=subprocess.PIPE if output else file, stderr=file,
            )  # fmt: skip
        return Program(process, nested=True)

    def run(self, host: int, command: Sequence[str], environment: dict[str, str], text: str = "") -> Result:
        began = time.monotonic()
        try:
            done = subprocess.run(
                self.on(host, command), env=environment, input=text, capture_output=True, text=True, errors="replace",
                timeout=180, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Result(124, "", "no end in 180 s", began, time.monotonic())
        return Result(done.returncode, done.stdout, done.stderr, began, time.monotonic())

    def processes(self, *hosts: int) -> list[int]:
        """All processes of hosts, as numbered here."""
        pending = [int((self.directory / str(host) / "init").read_text(encoding="ascii").split()[0]) for host in hosts]
        found: list[int] = []
        while pending:
            found.append(pending.pop())
            pending += children(found[-1])
        return found

    def avahi(self, host: int) -> int:
        for pid in self.processes(host):
            try:
                if Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() == "avahi-daemon":
                    return pid
            except OSError:
                continue
        raise RuntimeError("no avahi-daemon")

    def down(self) -> None:
        self.script("down")


def follow(file: IO[str] | None, take: Callable[[str], None]) -> threading.Thread:
    """Pass each line of a pipe to `take`, on a thread."""
    assert file is not None
    lines = file

    def read() -> None:
        for line in lines:
            take(line.rstrip("\n"))

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    return thread
