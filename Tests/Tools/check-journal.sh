#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The daemon's entries in a real journal: their fields, no secret in them, and what happens while journald does not read.
# Has the requirements of machine.sh. Exits with 0 if every check succeeds.
set -euo pipefail

# shellcheck source=Tests/Tools/manager-tests.sh
source "$(dirname "$0")/manager-tests.sh"
# shellcheck source=Tests/Tools/checks.sh
source "$here/checks.sh"
MACHINE_DIR=$(mktemp -d)
export MACHINE_DIR

machine() { "$here/machine.sh" "$@"; }
user() { machine user timeout 60 "$@"; }
relctl() { user /home/tester/.local/bin/relctl "$@"; }
# entries MATCH...: the entries of the daemon's unit as JSON.
entries() { machine root journalctl --quiet --no-pager --output json USER_UNIT=relativityd.service "$@"; }

cleanup() {
    local status=$?
    machine stop || true
    rm -rf "$MACHINE_DIR"
    exit $status
}
trap cleanup EXIT
machine start
home=$(machine place)/home/tester
put_programs "$home"
await "the user's manager runs" running user systemctl --user is-system-running
user env PROGRAMS_DIR=/home/tester/programs /home/tester/source/scripts/install.sh user >/dev/null
mkdir -p "$home/.config/systemd/user/relativityd.service.d"
printf '%s\n' '[Service]' ExecStart= 'ExecStart=%h/.local/bin/relativityd --log-level debug' \
    >"$home/.config/systemd/user/relativityd.service.d/test.conf"
chown -R 1234:1234 "$home/.config"
user systemctl --user daemon-reload
user systemctl --user enable --quiet --now relativityd.socket

check "the daemon starts" 0 "$(relctl list >/dev/null 2>&1; echo $?)"
await "its start is an entry with a version" 1 sh -c "'$here/machine.sh' root journalctl --quiet --output json \
    USER_UNIT=relativityd.service SYSLOG_IDENTIFIER=relativityd PRIORITY=5 | grep -c '\"RELATIVITYD_VERSION\":\"'"
check "the journal knows the unit and its process" 1 "$(entries "_SYSTEMD_USER_UNIT=relativityd.service" \
    "_PID=$(user systemctl --user show --value --property MainPID relativityd.service)" | grep -c '"MESSAGE":"started ')"
check "relctl journal shows it" 1 "$(relctl journal 2>/dev/null | grep -c 'relativityd\[.*started version=')"

# A passphrase, a password and the name of a server, which is a fact and no secret.
printf 'canary passphrase 7d1f\n' | relctl vault init --provider passphrase --passphrase-stdin >/dev/null 2>&1
user sh -c 'cd && .local/bin/relativity-sample-server --any-password --data-dir data </dev/null >server.log 2>&1 &'
await "the sample server listens" 1 grep -c '^listening on 127.0.0.1:7099' "$home/server.log"
relctl add office 127.0.0.1 >/dev/null 2>&1
pin=$(relctl show office | sed -n 's/^fingerprint: *//p')
check "a login is added" 0 "$(printf 'canarypassword7d1f\n' | relctl login add office --user simple --domain DASamples \
    --schema Simple --password-stdin --allow-plaintext --pin "$pin" >/dev/null 2>&1; echo $?)"
check "an adapter is opened" 0 "$(relctl adapter open office >/dev/null 2>&1; echo $?)"
await "with its endpoint and its ID as fields" 1 sh -c "'$here/machine.sh' root journalctl --quiet --output json \
    USER_UNIT=relativityd.service RELATIVITYD_ENDPOINT=office PRIORITY=6 | grep -c '\"RELATIVITYD_ADAPTER\":'"
check "no secret is in the journal" 0 "$(machine root journalctl --quiet --output export | grep -a -c 'canary' || true)"

user env XDG_RUNTIME_DIR=/run/user/1234 systemd-run --user --quiet --wait --unit second /home/tester/.local/bin/relativityd \
    2>/dev/null || true
pid=$(user systemctl --user show --value --property MainPID relativityd.service)
check "a second daemon names the first in a field" 1 "$(machine root journalctl --quiet --output json \
    RELATIVITYD_CODE=alreadyRunning PRIORITY=3 | grep -c "\"RELATIVITYD_HOLDER\":\"process $pid on ")"

# journald stops reading: the daemon goes on, and counts what it drops.
journal=$(machine root systemctl show --value --property MainPID systemd-journald.service)
machine root kill -STOP "$journal"
cat >"$home/connect.py" <<'END'
import socket
for _ in range(1500):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5)
        connection.connect("/run/user/1234/relativityd/relativityd.sock")
        connection.sendall(b'{"method":"org.varlink.service.GetInfo"}\0')
        connection.recv(1)
END
check "the daemon does not wait for journald" 0 "$(user python3 /home/tester/connect.py >/dev/null 2>&1; echo $?)"
machine root kill -CONT "$journal"
relctl adapter open office >/dev/null 2>&1
await "and counts what it dropped" yes sh -c "'$here/machine.sh' root journalctl --quiet --output json \
    USER_UNIT=relativityd.service | grep -q '\"RELATIVITYD_DROPPED\":\"' && echo yes"

finish
