#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the built programs for a user with an empty home directory, like `make install-user`, and uses them with a
# real user manager: the daemon starts by socket activation, works inside its sandbox, and is restarted when it hangs.
# Has the requirements of installed-daemon.sh. Exits with 0 if every check succeeds.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Tools/checks.sh
source "$here/checks.sh"
# shellcheck source=Tests/Tools/installed-daemon.sh
source "$here/installed-daemon.sh"

control enable --quiet --now relativityd.socket
check "the daemon waits for the first caller" inactive "$(control is-active relativityd.service)"
check "relctl status starts it" 0 "$(relctl status >"$USER_MANAGER_DIR/status" 2>&1; echo $?)"
check "it has told systemd that it is ready" active "$(control is-active relativityd.service)"
check "its status line is shown" "serving the local API" "$(property StatusText)"
check "it is the one that systemd started" "$(property MainPID)" \
    "$(sed -n 's/.* pid \([0-9]*\),.*/\1/p' "$USER_MANAGER_DIR/status")"

vault=$(printf 'correct horse battery\n' | relctl vault init --provider passphrase --passphrase-stdin 2>&1 || true)
check "a vault is made inside the sandbox" "vault: unlocked" "$(sed -n '/^vault:/s/  */ /p' <<<"$vault")"
check "its file is 0600" 600 "$(manager exec stat -c %a /home/tester/.local/share/relativityd/vault.rcv)"
memory=$(sed -n 's/^memory: *//p' <<<"$vault")
case $memory in
    memfd_secret | mlock) check "its secrets cannot be swapped out ($memory)" "$memory" "$memory" ;;
    *) check "its secrets cannot be swapped out" "memfd_secret or mlock" "$memory" ;;
esac

sample_server 7099
check "a server is added" 0 "$(relctl add sample 127.0.0.1 >/dev/null 2>&1; echo $?)"
added=$(add_login sample)
check "the daemon logs in" "added simple@sample" "${added//  / }"
socket=$(relctl adapter open sample | sed -n 's/^socket: *//p')
check "an adapter's socket is 0600" 600 "$(manager exec stat -c %a "${socket:-/none}")"

check "a table is kept" 0 "$(relctl briefcase keep sample Deps >"$USER_MANAGER_DIR/keep" 2>&1; echo $?)"
check "the user learns of the timer" 1 "$(grep -c 'enable --now relativityd-refresh.timer' "$USER_MANAGER_DIR/keep")"
kept=/home/tester/.local/state/relativityd-kept
manager exec sh -c "touch -d '1 hour ago' $kept/*/Deps.daBriefcase"
check "the unit refreshes it" 0 "$(control start relativityd-refresh.service 2>&1; echo $?)"
check "its file is new" 1 "$(manager exec sh -c "find $kept -name Deps.daBriefcase -mmin -30" | wc -l)"
control enable --quiet relativityd-refresh.timer
check "and prints no note then" 0 "$(relctl briefcase keep sample Deps 2>&1 | grep -c refresh.timer)"
relctl vault lock >/dev/null
check "a locked vault is no failure" 0 "$(control start relativityd-refresh.service 2>&1; echo $?)"

# The same with the key in the keyring: the sandbox must allow session bus, helper and keyring.
manager exec sh -c 'printf keyring | gnome-keyring-daemon --unlock --components=secrets --daemonize' >/dev/null 2>&1
manager exec sh -c 'cd /home/tester/.local/share/relativityd; mkdir kept; mv vault.rcv* kept'
control restart relativityd.service
vault=$(relctl vault init --provider secret-service 2>&1 || true)
check "the keyring keeps a key for the sandbox" "vault: unlocked" "$(sed -n '/^vault:/s/  */ /p' <<<"$vault")"
control restart relativityd.service
check "and opens the vault at the start" "vault: unlocked" "$(relctl vault status | sed -n '/^vault:/s/  */ /p')"
check "no helper is left" "" "$(manager exec pgrep -f libexec/relativityd || true)"

drop_in relativityd.service WatchdogSec=2 RestartSec=0
control restart relativityd.service
await "it runs with a short watchdog" active control is-active relativityd.service
before=$(property MainPID)
manager exec kill -STOP "$before"
await "a daemon that hangs is restarted" 1 property NRestarts
await "and runs again" active control is-active relativityd.service
check "what was added is still there" sample "$(relctl list | awk 'NR == 2 {print $1}')"

check "it ends in time" 0 "$(control stop --quiet relativityd.service >/dev/null 2>&1; echo $?)"
check "and without a failure" success "$(property Result)"
# A daemon with the same home and another runtime directory, as in a container.
cat >"$home/other" <<'END'
mkdir -m 700 /home/tester/run
XDG_RUNTIME_DIR=/home/tester/run setsid /home/tester/.local/bin/relativityd </dev/null >/home/tester/other.log 2>&1 &
echo $! >/home/tester/other.pid
END
manager exec sh /home/tester/other
await "another daemon has the home" 1 grep -c started "$home/other.log"
check "the service does not start beside it, and its caller gets an error" 69 \
    "$(relctl list >"$USER_MANAGER_DIR/refused" 2>&1; echo $?)"
await "it says so by its exit status" 75 property ExecMainStatus
check "it is not started again" "failed 0 active" \
    "$(control is-active relativityd.service) $(property NRestarts) $(control is-active relativityd.socket)"
manager exec kill "$(cat "$home/other.pid")"
await "the other daemon ends" 1 grep -c stopped "$home/other.log"
check "the next caller starts it again" 0 "$(relctl list >/dev/null 2>&1; echo $?)"
manager exec /home/tester/source/scripts/uninstall.sh >/dev/null
await "removal ends it" inactive control is-active relativityd.service

finish
