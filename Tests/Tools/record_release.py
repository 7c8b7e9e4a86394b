#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""record_release.py PROGRAMS DIRECTORY: records the files that the programs of a release write, in a new directory.

    Tests/Tools/alone.sh python3 Tests/Tools/record_release.py .build/stripped Tests/Releases/VERSION

It runs a daemon, sample servers and relctl on a host of namespaces (lan.sh), and needs root and avahi-daemon. The
directory gets config, endpoints.d, data, state and work, as they are below a home; `@HOME@` stands for the path of the
home. `installed` is the list of installed files. `expected.json` has commands of relctl and calls of the Data API, with
the members of their replies that do not depend on the time and the machine: two copies of the files, each in a home of
its own, gave the same. ReleaseFilesTests compares them with the replies of later versions.

Names, passwords and texts are the same in each recording. Keys, salts, IDs and times are not.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

TOOLS = Path(__file__).resolve().parent
ROOT = TOOLS.parent.parent
sys.path.insert(0, str(TOOLS / "soak"))

from lan import LAN, Program  # noqa: E402
from user import DataHelper, User, Varlink  # noqa: E402

# What depends on the machine, on the time, or on the wording of a version.
VARYING = {"state", "stateSince", "stateHeard", "reason", "memory", "memoryRefusals", "locksInSeconds", "detail"}
PASSPHRASE = "correct horse battery"
PORT, ANNOUNCED, TLS = 7199, 7198, 7197
FOLDERS = ("config", "endpoints.d", "data", "state", "work")
# Made by programs that run: locks, sockets, and what a save leaves.
LEFT_OUT = (".lock", ".sock", ".prev")

CONFIGURATION = """\
[discovery]
service_types = ["_Relativity_DataService_rosdk._tcp", "_Shop_rosdk._tcp"]
maximum_endpoints = 4096

[registry]
kept_endpoints = 512
changes_per_second = 50

[[dns_domain]]
name = "example.org"
servers = ["127.0.0.1:5300"]
addresses = ["10.0.0.0/8"]

[[etcd]]
name = "fleet"
servers = ["https://127.0.0.1:2379"]
prefix = "/relativity/servers"
user = "relativityd"
password_file = "@HOME@/config/relativityd/etcd-password"
ca_file = "@HOME@/config/relativityd/etcd-ca.pem"
certificate_file = "@HOME@/config/relativityd/etcd-client.pem"
key_file = "@HOME@/config/relativityd/etcd-client.key"
addresses = ["10.0.0.0/8"]

[probe]
mode = "off"
interval = 90
interval_in_use = 6

[vault]
idle_lock = 900
absolute_lock = 7000
lock_on = ["suspend", "session-lock"]
memory = "mlock"
cache_kernel = false

[tls]
ca_file = "@HOME@/config/relativityd/etcd-ca.pem"

[adapters]
maximum = 32
idle = 600
longest = 40000

[[adapter]]
name = "tool"
login = "simple@office"
form = "loopback"
port = 7196

[prompts]
agent = "none"
pinentry = "/usr/bin/pinentry-curses"

[api]
connections = 128
connections_per_process = 16
"""

# Makes the insertion of a row take some seconds.
SLOW = """\
CREATE TRIGGER slow AFTER INSERT ON Deps WHEN new.DepName = 'Lost' BEGIN
    SELECT count(*) FROM (WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000000) SELECT x FROM n);
END"""

CONFIGURED = """\
url = "http://127.0.0.1:7195"
name = "head office"
allow_plaintext = true
domain = "DASamples"
schema = "Simple"
data_service = "DataService"
login_service = "LoginService"
"""


def certificate(folder: Path) -> None:
    command = [
        "openssl", "req", "-x509", "-nodes", "-days", "36500", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-subj", "/CN=release", "-keyout", str(folder / "etcd-client.key"), "-out", str(folder / "etcd-client.pem"),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    os.chmod(folder / "etcd-client.key", 0o600)
    shutil.copy(folder / "etcd-client.pem", folder / "etcd-ca.pem")
    (folder / "etcd-password").write_text("not a secret\n", encoding="utf-8")
    os.chmod(folder / "etcd-password", 0o600)


class Home(User):
    """A user with a configuration and no system bus, or with the one of the host."""

    def __init__(self, lan: LAN, directory: Path, programs: Path, name: str, source: Path | None) -> None:
        self.source = source
        super().__init__(lan, directory, programs, name, "")

    def start_daemon(self) -> Program:
        folder = self.home / "config/relativityd"
        (self.home / "work").mkdir(mode=0o700, exist_ok=True)
        if self.source:
            copy_home(self.source, self.home)
            self.environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={self.home}/no-bus"
        else:
            certificate(folder)
            text = CONFIGURATION.replace("@HOME@", str(self.home))
            (folder / "relativityd.toml").write_text(text, encoding="utf-8")
            (self.home / "endpoints.d/head.toml").write_text(CONFIGURED, encoding="utf-8")
        return super().start_daemon()

    def pin(self, endpoint: str) -> str:
        fingerprint: str = json.loads(self.success("show", endpoint, "--json"))["fingerprint"]
        return fingerprint

    def add_login(self, endpoint: str, *options: str) -> None:
        self.success(
            "login", "add", endpoint, "--user", "simple", "--domain", "DASamples", "--schema", "Simple",
            "--password-stdin", "--pin", self.pin(endpoint), *options, text="simple\n",
        )  # fmt: skip


def copy_home(source: Path, home: Path) -> None:
    """Copy recorded files, with the modes that programs require and the path of the home."""
    for folder in FOLDERS:
        for path in sorted((source / folder).rglob("*")):
            target = home / path.relative_to(source)
            if path.is_dir():
                target.mkdir(mode=0o700, parents=True, exist_ok=True)
            else:
                content = path.read_bytes()
                if path.suffix == ".toml":
                    content = content.replace(b"@HOME@", str(home).encode())
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                target.write_bytes(content)
                os.chmod(target, 0o600)


def trigger(database: Path, statement: str) -> None:
    connection = sqlite3.connect(database, timeout=30)
    with connection:
        connection.execute(statement)
    connection.close()


def make(home: Home, database: Path) -> None:
    """Use every part that keeps files."""
    work = home.home / "work"
    address = f"127.0.0.1:{PORT}"
    home.success("add", "shop", address)
    home.success("rename", "shop", "office")
    home.success("add", "secure", f"https://127.0.0.1:{TLS}/bin")
    home.success("add", "old", "http://127.0.0.1:7001/other")
    home.success("hide", "old")
    home.success("endpoint", "set", "old", "--code-page", "windows-1252", "--read-only", "on", "--probe", "off")
    home.success("endpoint", "export", "office", "--out", str(work / "office.relativityClient"))
    imported = (work / "office.relativityClient").read_text(encoding="utf-8").replace(str(PORT), "7002")
    imported = imported.replace("<Domain />", "<Domain>DASamples</Domain>")
    (work / "branch.relativityClient").write_text(imported, encoding="utf-8")
    home.success("endpoint", "import", str(work / "branch.relativityClient"), "--name", "branch")

    passphrase = PASSPHRASE + "\n"
    home.success("vault", "init", "--provider", "passphrase", "--label", "mine", "--passphrase-stdin", text=passphrase)
    home.success("vault", "slot", "add", "--provider", "key-file", "--insecure-keyfile", "--label", "this machine")
    home.add_login("office", "--allow-plaintext")
    home.add_login("secure")
    home.success("default", "set", "simple@office")
    deadline = time.monotonic() + 30
    while home.relctl("show", "announced").status != 0 and time.monotonic() < deadline:
        time.sleep(0.2)
    home.success("endpoint", "pin", "announced", "--allow-plaintext", "--pin", home.pin("announced"))
    home.add_login("announced", "--name", "later", "--allow-plaintext")
    home.success("login", "test", "later")
    # Format 2.0 of the vault.
    alternate = f"http://127.0.0.1:{ANNOUNCED}"
    home.success("add", "other", alternate)
    pin = home.pin("other")
    home.success("endpoint", "remove", "other", "--yes")
    home.success(
        "endpoint", "set", "office", "--alternate", alternate, "--pin", pin, "--allow-plaintext", "--one-database"
    )

    home.success("table", "get", "office", "Deps", "--where", "DepId > 1", "--sort", "-DepId", "--limit", "2")
    home.success("table", "features", "office", "--probe")
    home.success("table", "insert", "office", "Deps", "DepName=Pending", "--pending", str(work / "changes.pending"))
    home.success("table", "update", "office", "Deps", "2", "DepPhone=222", "--pending", str(work / "changes.pending"))
    # A change to which no reply comes in time, so that its outcome is unknown.
    home.success("table", "insert", "office", "Deps", "DepName=Lost", "--pending", str(work / "unknown.pending"))
    trigger(database, SLOW)
    lost = home.relctl("table", "apply", "office", "--pending", str(work / "unknown.pending"), "--timeout", "1")
    deadline = time.monotonic() + 60
    while "Lost" not in home.relctl("table", "get", "office", "Deps").output and time.monotonic() < deadline:
        time.sleep(0.2)
    trigger(database, "DROP TRIGGER slow")
    if lost.status not in (1, 18):
        sys.exit(f"record_release.py: the outcome is known: {lost}")
    shop = str(work / "shop.daBriefcase")
    home.success("briefcase", "save", "office", "Deps", "--to", shop, "--version", "3", "--property", "Region=north")
    home.success("table", "insert", "office", "Deps", "DepName=Briefcase", "--pending", shop)
    home.success("briefcase", "keep", "office", "Deps")
    home.success("table", "insert", "office", "Deps", "DepName=Kept", "--offline")
    connection = Varlink(home, str(home.runtime / "relativityd/data.sock"))
    edit = {"action": "insert", "table": "Deps", "values": {"DepName": "Set"}}
    connection.call("org.relativityd.Data.Edit", server={"endpoint": "office"}, edits=[edit], pending="orders")
    connection.close()
    # The first call of a configured adapter stores its path.
    home.success("adapter", "list")


def commands() -> list[list[str]]:
    return [
        ["list"], ["show", "office"], ["show", "old"], ["show", "branch"], ["show", "head office"], ["vault", "status"],
        ["vault", "slot", "list"], ["login", "list"], ["default", "show"],
        ["adapter", "list"], ["audit", "verify"], ["audit", "list", "--count", "1000"],
        ["login", "test", "simple@office"],
        ["table", "pending", "list", "@HOME@/work/changes.pending"],
        ["table", "pending", "list", "@HOME@/work/unknown.pending"],
        ["table", "pending", "list", "@HOME@/work/shop.daBriefcase"],
        ["briefcase", "show", "@HOME@/work/shop.daBriefcase"],
        ["briefcase", "load", "@HOME@/work/shop.daBriefcase", "Deps"],
        ["briefcase", "list", "--kept"], ["table", "get", "office", "Deps", "--offline"],
    ]  # fmt: skip


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("ListPending", {}),
    ("GetPending", {"pending": "orders"}),
    ("ListKept", {}),
]


def replies(home: Home) -> list[Any]:
    """The replies of all commands and calls in a home, with @HOME@ for its path."""
    for provider, text in (("key-file", ""), ("passphrase", PASSPHRASE + "\n")):
        home.relctl("vault", "lock")
        options = ["--passphrase-stdin"] if text else []
        home.success("vault", "unlock", "--provider", provider, *options, text=text)
    found: list[Any] = []
    for command in commands():
        filled = [part.replace("@HOME@", str(home.home)) for part in command]
        found.append(json.loads(home.success(*filled, "--json").replace(str(home.home), "@HOME@")))
    connection = Varlink(home, str(home.runtime / "relativityd/data.sock"))
    for method, parameters in CALLS:
        reply = json.dumps(connection.call(f"org.relativityd.Data.{method}", **parameters))
        found.append(json.loads(reply.replace(str(home.home), "@HOME@")))
    connection.close()
    return found


def common(first: Any, second: Any, lines: int) -> Any:
    """What two replies have in common; None if nothing. The audit log has `lines` lines that were recorded."""
    if isinstance(first, dict) and isinstance(second, dict):
        if "unclean" in first:
            # The numbers of lines of audit verify, which grow with each start of a daemon.
            return {key: first[key] for key in ("lost", "unproved", "unclean")}
        both = {key: common(first[key], second[key], lines) for key in first if key in second and key not in VARYING}
        both = {key: value for key, value in both.items() if value is not None}
        if isinstance(both.get("lines"), list):
            both["lines"] = both["lines"][:lines]
        return both
    if isinstance(first, list) and isinstance(second, list):
        if first == second and not any(isinstance(value, dict) for value in first):
            return first
        merged = [common(one, other, lines) for one, other in zip(first, second)]
        return merged if all(isinstance(value, dict) for value in merged) else None
    return first if first == second else None


def installed(programs: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory() as tree:
        environment = {"PATH": os.environ["PATH"], "HOME": tree, "DESTDIR": tree, "PROGRAMS_DIR": str(programs)}
        subprocess.run([str(ROOT / "scripts/install.sh"), "system"], env=environment, check=True, capture_output=True)
        shutil.copy(Path(tree) / "usr/local/lib/relativityd/installed", target)


def keep(home: Home, directory: Path) -> None:
    for folder in FOLDERS:
        for path in sorted((home.home / folder).rglob("*")):
            if path.is_dir() or path.is_socket() or path.suffix in LEFT_OUT:
                continue
            target = directory / path.relative_to(home.home)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()
            if path.suffix == ".toml":
                content = content.replace(str(home.home).encode(), b"@HOME@")
            elif str(home.home).encode() in content:
                sys.exit(f"record_release.py: {path} has the path of the home")
            target.write_bytes(content)


def main(programs: Path, directory: Path) -> None:
    directory.mkdir(parents=True)
    work = Path(tempfile.mkdtemp(prefix="rel."))
    lan = LAN(work / "lan", 1)
    try:
        environment = {"PATH": os.environ["PATH"], "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/run/dbus/system_bus_socket"}
        server = [str(programs / "relativity-sample-server"), "--data-dir"]
        lan.start(1, [*server, str(work / "office"), "--port", str(PORT)], environment, work / "office.log")
        options = ["--port", str(ANNOUNCED), "--lan", "--name", "announced"]
        announced = lan.start(1, [*server, str(work / "announced"), *options], environment, work / "announced.log")
        home = Home(lan, work, programs, "home", None)
        folder = home.home / "config/relativityd"
        files = [str(folder / "etcd-client.pem"), str(folder / "etcd-client.key")]
        command = ["python3", str(TOOLS / "tls_front.py"), *files, str(TLS), str(PORT)]
        front = lan.start(1, command, environment, work / "front.log")
        helper = DataHelper(home)
        time.sleep(1)
        make(home, work / "office/sample.sqlite")
        helper.ending = True
        helper.program.end()
        home.daemon.end()
        # The test runs without them.
        announced.end()
        front.end()
        keep(home, directory)
        lines = len((directory / "state/relativityd/audit.jsonl").read_text(encoding="ascii").splitlines())
        found = []
        for name in ("first", "the-second"):
            copy = Home(lan, work, programs, name, directory)
            helper = DataHelper(copy)
            found.append(replies(copy))
            helper.ending = True
            helper.program.end()
            copy.daemon.end()
        shared = [common(first, second, lines) for first, second in zip(*found)]
        expected: list[Any] = [
            {"command": command, "expected": reply} for command, reply in zip(commands(), shared)
        ]
        expected += [
            {"call": method, "parameters": parameters, "expected": reply}
            for (method, parameters), reply in zip(CALLS, shared[len(expected) :])
        ]
        lines_of_json = ",\n".join(json.dumps(each, ensure_ascii=False) for each in expected)
        (directory / "expected.json").write_text(f"[\n{lines_of_json}\n]\n", encoding="utf-8")
    finally:
        lan.down()
    installed(programs, directory / "installed")
    shutil.rmtree(work)


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
