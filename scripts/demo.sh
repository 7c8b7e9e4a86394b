#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh [--stay]: shows discovery, login and adapter with the real programs, on two hosts of an isolated LAN of Linux
# namespaces. Each host has its own system bus and avahi-daemon. The sample server announces itself on one, relativityd
# runs on the other. Users other than root get the same inside a user namespace. If that is not allowed, daemon and
# server run on loopback, without discovery. Exits automatically, unless --stay lets it wait for the return key.
# Creates files in a temporary directory only. The exit status is not 0 if a step does not show the expected output.
set -euo pipefail

self=$(readlink -f "$0")
root=$(dirname "$(dirname "$self")")
readonly self root
programs=${PROGRAMS_DIR:-$root/.build/stripped}
readonly programs
lan=$root/Tests/Tools/lan.sh
python=$root/.build/python/bin/python3
example=docs/examples/get_schema.py

stay=no
for argument; do
    case $argument in
        --stay) stay=yes ;;
        *)
            sed -n '4,8s/^# \{0,1\}//p' "$self" >&2
            exit 64
            ;;
    esac
done

if [ "$(id -u)" != 0 ] && unshare --user --map-root-user --mount --net true 2>/dev/null; then
    exec unshare --user --map-root-user --mount --net "$self" "$@"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/relativityd-demo.XXXXXX")
export LAN_DIR=$work/lan
started=()

# Also runs on SIGINT and SIGTERM, because their traps call `exit`.
clean_up() {
    local status=$? pid
    trap - EXIT
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    wait
    [ ! -d "$LAN_DIR" ] || "$lan" down || status=1
    rm -rf "$work"
    [ $status = 0 ] || printf '\nThe demo failed.\n' >&2
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

fail() {
    printf '%s: %s\n' "$(basename "$self")" "$*" >&2
    exit 1
}

say() { printf '\n%s\n' "$*"; }
type_out() { printf '$ %s\n' "$*"; }

# run STATUS PATTERN COMMAND: prints and runs a shell command. Its output must match the extended regular expression.
run() {
    local wanted=$1 pattern=$2 status=0 output
    type_out "$3"
    output=$(cd "$root" && timeout 120 bash -c "$3" 2>&1) || status=$?
    [ -z "$output" ] || printf '%s\n' "$output"
    [ "$status" = "$wanted" ] || fail "expected status $wanted, got $status"
    grep -qE "$pattern" <<<"$output" || fail "expected to see '$pattern'"
}

# Waits up to 20 seconds for a condition.
await() {
    local _
    for _ in $(seq 400); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep .05
    done
    return 1
}

# start FILE COMMAND...: runs the command in the background, with its output in FILE.
start() {
    local file=$1
    shift
    "$@" </dev/null >"$file" 2>&1 &
    started+=($!)
}

stop() { # PID
    kill "$1" 2>/dev/null || true
    await is_gone "$1" || fail "process $1 does not end"
}

is_gone() { ! kill -0 "$1"; }

has_no_daemon() { ! relctl status; }

for program in relativityd relctl relativity-sample-server; do
    [ -x "$programs/$program" ] || fail "$programs/$program is missing: run 'make demo', which builds it"
done
[ -x "$python" ] || fail "$python is missing: run 'make demo', which makes it"

# The demo uses nothing of the caller's home, buses or daemon.
mkdir -m 700 "$work/home" "$work/run" "$work/server"
export HOME=$work/home XDG_RUNTIME_DIR=$work/run PATH=$programs:${python%/*}:$PATH LC_ALL=C.UTF-8
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME RELATIVITYD_HOME RELATIVITYD_SOCKET \
    RELATIVITYD_DATA_SOCKET RELATIVITYD_LOGIN DBUS_SYSTEM_BUS_ADDRESS DBUS_SESSION_BUS_ADDRESS CREDENTIALS_DIRECTORY \
    NOTIFY_SOCKET LISTEN_FDS LISTEN_PID JOURNAL_STREAM

with_lan=no
if [ "$(id -u)" = 0 ]; then
    if "$lan" up 2 2>"$work/lan.log"; then
        with_lan=yes
    else
        printf 'No LAN of namespaces here: %s\n' "$(<"$work/lan.log")"
        "$lan" down
    fi
fi

if [ $with_lan = yes ]; then
    server='sample server on h2'
    say "A LAN of two hosts, h1 (10.77.0.1) and h2 (10.77.0.2), made of namespaces. On h2, the sample server:"
    type_out "relativity-sample-server --lan &"
    "$lan" bg 2 server relativity-sample-server --lan --data-dir "$work/server"
    await grep -q "announcing" "$work/lan/2/server.log" || fail "no server: $("$lan" log 2 server)"
    "$lan" log 2 server
    say "On h1, the daemon. It opens no TCP port; relctl reaches it through a Unix socket."
    type_out "relativityd &"
    "$lan" bg 1 relativityd relativityd
else
    server=sample
    say "Discovery is left out: without root and without user namespaces there is no LAN to show it on."
    type_out "relativity-sample-server --port 0 &"
    start "$work/server.log" relativity-sample-server --port 0 --data-dir "$work/server"
    server_pid=${started[-1]}
    await grep -q "^database" "$work/server.log" || fail "no server: $(<"$work/server.log")"
    cat "$work/server.log"
    port=$(sed -n 's/^listening on .*:\([0-9]*\) .*/\1/p' "$work/server.log")
    say "The daemon. It opens no TCP port; relctl reaches it through a Unix socket."
    type_out "relativityd &"
    start "$work/relativityd.log" relativityd
    daemon_pid=${started[-1]}
fi
await test -S "$work/run/relativityd/relativityd.sock" || fail "the daemon does not start"
run 0 'vault: +absent' "relctl status"

if [ $with_lan = yes ]; then
    say "It found the server through Avahi:"
    await bash -c 'relctl list | grep -q "sample server on h2"' || true
else
    say "A server added by hand:"
    run 0 "http://127.0.0.1:$port/bin" "relctl add sample 127.0.0.1:$port"
fi
run 0 "$server .*http://" "relctl list"
run 0 'fingerprint: +[0-9a-f]{64}' "relctl show '$server'"

say "A client that needs changes watches:"
type_out "relctl watch &"
start "$work/watch.log" relctl watch
watcher=${started[-1]}
await grep -q "^[0-9:]*  present" "$work/watch.log" || fail "no snapshot: $(<"$work/watch.log")"
cat "$work/watch.log"

say "A vault for logins. The passphrase and the password are those of this demo; never type yours on a command line."
run 0 'vault: +unlocked' \
    "echo 'correct horse battery staple' | relctl vault init --provider passphrase --passphrase-stdin"

say "A login, bound to this server by its fingerprint. It is tried before it is saved."
run 0 '^[0-9a-f]{64}$' "relctl show '$server' | sed -n 's/^fingerprint: *//p'"
add="relctl login add '$server' --user simple --domain DASamples --schema Simple --password-stdin"
add+=" --allow-plaintext --pin \$(relctl show '$server' | sed -n 's/^fingerprint: *//p')"
run 13 'error' "echo wrong | $add"
run 0 '^added' "echo simple | $add"
run 0 'ok +' "relctl login test 'simple@$server'"

say "An adapter: a Unix socket that reaches the server inside the session. It lives as long as this command."
type_out "relctl adapter open '$server' --hold --json &"
start "$work/adapter.json" relctl adapter open "$server" --hold --json
holder=${started[-1]}
await grep -q '"socketPath"' "$work/adapter.json" || fail "no adapter: $(<"$work/adapter.json")"
cat "$work/adapter.json"
run 0 'when its client' "relctl adapter list"

say "A tool in another language opens one of its own and asks the server for its schema:"
run 0 'Deps' "python3 $example '$server'"

say "Locking the vault ends the sessions and their adapters."
run 0 'vault: +locked' "relctl vault lock"
run 0 'no adapters' "relctl adapter list"
run 3 'locked' "relctl adapter open '$server'"
await is_gone "$holder" || fail "the adapter's holder goes on"

say "The server stops."
type_out "kill %relativity-sample-server"
if [ $with_lan = yes ]; then
    "$lan" sig 2 server TERM
    await grep -qE '^[0-9:]+  changed .* unreachable' "$work/watch.log" || fail "the watcher saw nothing: $(<"$work/watch.log")"
    say "What 'relctl watch' had printed meanwhile:"
    cat "$work/watch.log"
    run 0 'unreachable' "relctl list"
else
    stop "$server_pid"
fi

if [ $stay = yes ]; then
    say "For another terminal: export XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR"
    read -r -p "Press return to end. " || true
fi

say "The daemon ends."
type_out "kill %relativityd"
if [ $with_lan = yes ]; then "$lan" sig 1 relativityd TERM; else stop "$daemon_pid"; fi
await has_no_daemon || fail "the daemon does not end"
say "'relctl watch' waits for another daemon, until it is interrupted."
type_out "kill %relctl"
stop "$watcher"
run 69 'is not running' "relctl status"
say "Done."
