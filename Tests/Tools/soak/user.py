# SPDX-License-Identifier: Apache-2.0
"""Users of host 1 with a daemon each, and the times at which something was interrupted."""

import http.client
import json
import os
import select
import signal
import socket
import struct
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from lan import LAN, Program, Result

PASSPHRASE = "correct horse battery staple\n"
WANTED = ("HOME", "PATH", "LC_ALL")


class Troubles:
    """The intervals in which a failure is expected, because a process was killed or a vault locked."""

    MARGIN = 3.0

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.intervals: list[list[float]] = []

    def begin(self) -> int:
        with self.lock:
            self.intervals.append([time.monotonic(), float("inf")])
            return len(self.intervals) - 1

    def end(self, number: int) -> None:
        with self.lock:
            self.intervals[number][1] = time.monotonic()

    def excuse(self, began: float, ended: float) -> bool:
        with self.lock:
            return any(a - self.MARGIN < ended and began < b + self.MARGIN for a, b in self.intervals)


class Varlink:
    """A connection, through a process on host 1, because the daemon asks who its clients are."""

    def __init__(self, user: "User", path: str) -> None:
        command = user.lan.on(1, ["python3", str(Path(__file__).parent / "pipe.py"), path])
        self.process = subprocess.Popen(
            command, env=user.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.input, self.output = self.process.stdin, self.process.stdout.fileno()
        self.received = b""

    def reply(self) -> dict[str, Any]:
        while b"\0" not in self.received:
            if not select.select([self.output], [], [], 60)[0]:
                raise TimeoutError("no reply in 60 s")
            part = os.read(self.output, 65536)
            if not part:
                raise ConnectionError("closed")
            self.received += part
        message, self.received = self.received.split(b"\0", 1)
        reply: dict[str, Any] = json.loads(message)
        if "error" in reply:
            raise RuntimeError(json.dumps(reply))
        return reply

    def send(self, method: str, parameters: dict[str, Any], more: bool = False) -> None:
        call = {"method": method, "parameters": parameters, "more": more}
        self.input.write(json.dumps(call).encode() + b"\0")
        self.input.flush()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        self.send(method, parameters)
        result: dict[str, Any] = self.reply()["parameters"]
        return result

    def close(self) -> None:
        try:
            self.input.close()
        except OSError:
            pass
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


class UnixHTTP(http.client.HTTPConnection):
    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


def call_adapter(connection: UnixHTTP) -> None:
    """Call GetSchema of the data service.

    Raises RuntimeError if the reply is no message or an exception.
    """
    message = b"RO107" + bytes(7) + os.urandom(16)
    for value in (b"DataService", b"GetSchema", b""):
        message += struct.pack("<i", len(value)) + value
    connection.request("POST", "/bin", message)
    response = connection.getresponse()
    body = response.read()
    if response.status != 200 or not body.startswith(b"RO107") or b"Deps" not in body:
        raise RuntimeError(f"HTTP {response.status}: {body[:200]!r}")


class User:
    """A home with a daemon on host 1."""

    def __init__(
        self, lan: LAN, directory: Path, programs: Path, name: str, configuration: str = '[probe]\nmode = "on"\n'
    ) -> None:
        self.lan, self.programs, self.name = lan, programs, name
        self.home = directory / name
        self.runtime = self.home / "run"
        for folder in ("", "run", "config", "config/relativityd", "endpoints.d"):
            (self.home / folder).mkdir(mode=0o700)
        (self.home / "config/relativityd/relativityd.toml").write_text(configuration, encoding="utf-8")
        self.environment = {key: os.environ[key] for key in WANTED if key in os.environ} | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_CONFIG_HOME": str(self.home / "config"),
            "XDG_DATA_HOME": str(self.home / "data"),
            "XDG_STATE_HOME": str(self.home / "state"),
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/run/dbus/system_bus_socket",
            "LC_ALL": "C.UTF-8",
        }
        self.socket = str(self.runtime / "relativityd/relativityd.sock")
        self.troubles = Troubles()
        self.daemon = self.start_daemon()

    def start_daemon(self) -> Program:
        command = [str(self.programs / "relativityd"), "--endpoints", str(self.home / "endpoints.d")]
        daemon = self.lan.start(1, command, self.environment, self.home / "relativityd.log")
        deadline = time.monotonic() + 60
        while self.relctl("version").status != 0:
            if not daemon.is_running or time.monotonic() > deadline:
                raise RuntimeError((self.home / "relativityd.log").read_text(encoding="utf-8"))
            time.sleep(0.05)
        return daemon

    def relctl(self, *arguments: str, text: str = "") -> Result:
        return self.lan.run(1, [str(self.programs / "relctl"), *arguments], self.environment, text)

    def success(self, *arguments: str, text: str = "") -> str:
        result = self.relctl(*arguments, text=text)
        if result.status != 0:
            raise RuntimeError(f"relctl {' '.join(arguments)}: {result.status} {result.errors}")
        return result.output

    def listed(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.success("list", "--json"))["endpoints"]
        return found

    def prepare(self, server: str) -> None:
        """Make a vault, and a login for the announced server."""
        deadline = time.monotonic() + 60
        while not any(endpoint["name"] == server for endpoint in self.listed()):
            if time.monotonic() > deadline:
                raise RuntimeError(f"{server} is not found")
            time.sleep(0.2)
        self.success("vault", "init", "--provider", "passphrase", "--passphrase-stdin", text=PASSPHRASE)
        pin = json.loads(self.success("show", server, "--json"))["fingerprint"]
        self.success(
            "login", "add", server, "--user", "simple", "--domain", "DASamples", "--schema", "Simple",
            "--password-stdin", "--allow-plaintext", "--pin", pin, text="simple\n",
        )  # fmt: skip

    def unlock(self) -> None:
        self.success("vault", "unlock", "--passphrase-stdin", text=PASSPHRASE)

    def kill_daemon(self) -> float:
        """Kill the daemon, and start it again.

        Returns the seconds until it has the vault open again.
        """
        trouble = self.troubles.begin()
        began = time.monotonic()
        self.daemon.end(signal.SIGKILL)
        self.daemon = self.start_daemon()
        self.unlock()
        self.troubles.end(trouble)
        return time.monotonic() - began

    def varlink(self) -> Varlink:
        return Varlink(self, self.socket)


class DataHelper:
    """The Data API of a user. As under systemd, it is started again after it has exited because it was idle."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.socket = str(user.runtime / "relativityd/data.sock")
        self.ending = False
        self.statuses: list[int] = []
        self.start()
        threading.Thread(target=self.run, daemon=True).start()

    @property
    def pid(self) -> int:
        return self.program.pid

    def start(self) -> None:
        Path(self.socket).unlink(missing_ok=True)
        passed = [f"-E{name}={self.user.environment[name]}" for name in ("XDG_RUNTIME_DIR", "XDG_STATE_HOME", "HOME")]
        command = ["systemd-socket-activate", "--listen", self.socket, *passed]
        command += [str(self.user.programs / "relativityd-data"), "serve"]
        self.program = self.user.lan.start(1, command, self.user.environment, self.user.home / "data.log")
        deadline = time.monotonic() + 20
        while not Path(self.socket).exists() and time.monotonic() < deadline:
            time.sleep(0.02)

    def run(self) -> None:
        while True:
            status = self.program.process.wait()
            if self.ending:
                return
            self.statuses.append(status)
            self.start()
