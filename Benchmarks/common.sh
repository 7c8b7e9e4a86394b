# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034 # the parts use the variables
#
# What the parts of the benchmark share: rounds, hosts, a daemon and servers. A part reads this file first. When it ends,
# its hosts end with all programs on them. Figures are lines of JSON, which `record` adds to the results.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly root=$PWD probes=$PWD/.build/release peers=$PWD/.build/peers python=$PWD/.build/python/bin/python3
programs=$(realpath "$PROGRAMS_DIR")
readonly programs core=$(($(nproc) - 1)) runtime=/run/user/0 passphrase=bench-passphrase
readonly api=$runtime/relativityd/relativityd.sock
# The number of changes is even: the last one shows again what the first one has hidden.
if [ "${QUICK:-}" = 1 ]; then
    idle_seconds=5 commands=11 browses=2 trips=3 calls=2000 events=5 changes=6 saves=20 decodes=50 adapters=50
    stream=100 rows=20000
else
    idle_seconds=60 commands=101 browses=7 trips=9 calls=10000 events=40 changes=40 saves=300 decodes=500 adapters=1000
    stream=1000 rows=1000000
fi

part=$(basename "$0" .sh)
readonly part
work=$(mktemp -d "/tmp/relativityd-bench-$part.XXXXXX")
readonly work
leftovers=("$work")
export LAN_DIR=$work/lan

die() {
    echo "$part: $*" >&2
    exit 1
}

lan() { Tests/Tools/lan.sh "$@"; }

cleanup() {
    local status=$?
    if [ $status != 0 ]; then
        lan log 1 daemon >&2 2>/dev/null || true
    fi
    lan down || true
    rm -rf "${leftovers[@]}"
    exit $status
}
trap cleanup EXIT

# record COMMAND...: its lines of JSON become results.
record() {
    local lines
    lines=$("$@")
    echo "$lines" >>"$BENCH_RESULTS"
}

# on_host COMMAND...: on the daemon's host, without the machine's own XDG directories and buses.
on_host() {
    lan exec 1 env -i PATH="$programs:$PATH" HOME="$work/home" XDG_RUNTIME_DIR=$runtime LANG=C.UTF-8 "$@"
}

# await SECONDS DESCRIPTION COMMAND...
await() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        [ $SECONDS -lt $end ] || die "waited in vain for $what"
        sleep .1
    done
}

is_socket() { on_host test -S "$1"; }
is_port() { on_host bash -c "(exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null"; }
daemon_answers() { on_host relctl list >/dev/null 2>&1; }

# start_daemon HOSTS: on the first of them.
start_daemon() {
    # With its default limits avahi-daemon could not hold a thousand services, and no peer could list them.
    export LAN_AVAHI="objects-per-client-max=65536 cache-entries-max=65536 entries-per-entry-group-max=65536"
    lan up "$1"
    mkdir -p "$work/home/.config/relativityd"
    printf '[adapters]\nmaximum = 4096\n' >"$work/home/.config/relativityd/relativityd.toml"
    lan exec 1 mkdir -p -m 700 $runtime
    lan bg 1 daemon env -i PATH="$PATH" HOME="$work/home" XDG_RUNTIME_DIR=$runtime LANG=C.UTF-8 "$programs/relativityd"
    await 10 "the daemon" daemon_answers
    daemon=$(on_host pgrep -x relativityd)
}

# pin CORES: the daemon's threads.
pin() { on_host taskset --all-tasks --cpu-list --pid "$1" "$daemon" >/dev/null; }

make_vault() {
    on_host relctl vault init --provider passphrase --passphrase-stdin <<<$passphrase >/dev/null
}

# add_login NAME PORT PASSWORD OPTION...: a server of this host, and a login for it.
add_login() {
    local name=$1 password=$3 fingerprint
    on_host relctl add "$name" "127.0.0.1:$2" >/dev/null
    shift 3
    fingerprint=$(on_host relctl show "$name" --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["fingerprint"])')
    on_host relctl login add "$name" "$@" --password-stdin --allow-plaintext --pin "$fingerprint" <<<"$password" >/dev/null
}

# serve_sales PORT DATABASE: on host 1, a daemon, and a server of a table of $rows rows, with a login.
serve_sales() {
    start_daemon 1
    mkdir "$work/tables"
    "$python" Benchmarks/tables.py prepare "$2" "$rows"
    lan bg 1 tables "$programs/relativity-sample-server" --port "$1" --data-dir "$work/tables" --database "$2" --compression 0
    await 10 "the server of the table" is_port "$1"
    make_vault
    add_login tables "$1" Relativity --user Data
}
