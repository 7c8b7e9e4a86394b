#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Benchmarks relativityd and relctl against their peers, in one run on three hosts of a LAN in network namespaces.
# Needs root. PROGRAMS_DIR names the directory with the stripped release programs (default .build/stripped).
#
# QUICK=1 runs fewer rounds, to try the benchmark; its figures are not valid.
set -euo pipefail

cd "$(dirname "$0")/.."
root=$PWD
programs=$(realpath "${PROGRAMS_DIR:-.build/stripped}")
peers=$root/.build/peers
python=$root/.build/python/bin/python3
core=$(($(nproc) - 1))
readonly runtime=/run/user/0
# With its default limits avahi-daemon could not hold a thousand services, and no peer could list them.
export LAN_AVAHI="objects-per-client-max=65536 cache-entries-max=65536 entries-per-entry-group-max=65536"
if [ "${QUICK:-}" = 1 ]; then
    idle_seconds=5 commands=11 browses=2 trips=3 calls=2000 events=5 changes=5 saves=20 decodes=50 adapters=50
    stream=100 rows=20000
else
    idle_seconds=60 commands=101 browses=7 trips=9 calls=10000 events=40 changes=40 saves=300 decodes=500 adapters=1000
    stream=1000 rows=1000000
fi

die() {
    echo "bench.sh: $*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || die "network namespaces need root: after make bench as you, sudo scripts/bench.sh"
[ -x "$programs/relativityd" ] || die "nothing to measure in $programs: make release"

work=$(mktemp -d /tmp/relativityd-bench.XXXXXX)
export LAN_DIR=$work/lan
results=$work/results
lan() { Tests/Tools/lan.sh "$@"; }
# The machine's own XDG directories and buses are not used.
on_browser() {
    lan exec 1 env -i PATH="$programs:$PATH" HOME="$work/home" XDG_RUNTIME_DIR=$runtime LANG=C.UTF-8 "$@"
}

cleanup() {
    local status=$?
    if [ $status != 0 ]; then
        lan log 1 daemon >&2 || true
    fi
    lan down || true
    rm -rf "$work"
    exit $status
}
trap cleanup EXIT

compile_peers() {
    local flags="-O2 -Wall -Wextra -Werror" peer
    mkdir -p "$peers"
    for peer in echo_server roundtrip print_list time_commands fan_out decode_copy table_scan adapter_calls \
        forwarder; do
        # shellcheck disable=SC2086 # several flags
        cc $flags -o "$peers/$peer" Benchmarks/peers/$peer.c
    done
    # shellcheck disable=SC2046,SC2086
    cc $flags -o "$peers/dbus_roundtrip" Benchmarks/peers/dbus_roundtrip.c $(pkg-config --cflags --libs dbus-1)
    # shellcheck disable=SC2046,SC2086
    cc $flags -o "$peers/publish_many" Benchmarks/peers/publish_many.c $(pkg-config --cflags --libs avahi-client)
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

daemon_answers() { on_browser relctl list >/dev/null 2>&1; }
listed() { [ "$(on_browser relctl list --json | grep -o '"Bench [0-9]*"' | sort -u | wc -l)" = "$1" ]; }
is_socket() { on_browser test -S "$1"; }

start_daemon() {
    mkdir -p "$work/home/.config/relativityd"
    printf '[adapters]\nmaximum = 4096\n' >"$work/home/.config/relativityd/relativityd.toml"
    lan exec 1 mkdir -p -m 700 $runtime
    lan bg 1 daemon env -i PATH="$PATH" HOME="$work/home" XDG_RUNTIME_DIR=$runtime LANG=C.UTF-8 "$programs/relativityd"
    await 10 "the daemon" daemon_answers
    daemon=$(on_browser pgrep -x relativityd)
}

# Pages of a recently written program count as its own dirty memory until they are on disk.
measure_idle() {
    echo "Idle for $idle_seconds seconds"
    sync
    sleep 5
    on_browser "$python" "$root/Benchmarks/idle.py" idle "$daemon" $idle_seconds >>"$results"
}

# measure_list SERVICES
measure_list() {
    echo "relctl list of $1 services"
    local type=_Relativity_DataService_rosdk._tcp list="relctl list of $1" _
    lan bg 2 publisher "$peers/publish_many" Bench "$1"
    await 60 "$1 services in relctl list" listed "$1"
    on_browser relctl list >"$work/list"
    on_browser "$peers/time_commands" $commands "$list" relctl list \
        -- "print_list of $1" "$peers/print_list" $runtime/relativityd/relativityd.sock "$work/list" \
        -- "avahi-browse -cpt of $1" avahi-browse -cpt $type >>"$results"
    # On host 3 no relativityd keeps a browser open, as on a machine without it. On host 1 avahi-daemon answers from
    # its cache, which relativityd's browser has filled.
    for _ in $(seq $browses); do
        {
            on_browser "$peers/time_commands" 1 "$list, in between" relctl list
            lan exec 3 "$peers/time_commands" 1 "avahi-browse -rpt of $1" avahi-browse -rpt $type
            on_browser "$peers/time_commands" 1 "avahi-browse -rpt of $1 beside relativityd" avahi-browse -rpt $type
        } >>"$results"
    done
}

# measure_memory SERVICES: while that many are listed. The peer is on host 3, where it receives the same
# announcements.
measure_memory() {
    echo "Memory with $1 services, compared with python-zeroconf"
    on_browser "$python" "$root/Benchmarks/idle.py" "$1 endpoints" "$daemon" 1 >>"$results"
    lan exec 3 "$python" "$root/Benchmarks/peers/zeroconf_browser.py" "$1" >>"$results"
}

# measure_list_at_daemon SERVICES: after the memory, because settings and their file would add to it.
measure_list_at_daemon() {
    printf '{"method":"org.relativityd.Registry.List"}' >"$work/request"
    printf '{"method":"org.relativityd.Registry.Set","parameters":{"endpoint":"Bench 001","hidden":false}}' >"$work/change"
    list() { on_browser "$peers/roundtrip" "$1" $runtime/relativityd/relativityd.sock $core "$work/request" $commands "${@:2}"; }
    {
        list "List of $1"
        list "List of $1 after a change" "$work/reply" "$work/change"
    } >>"$results"
}

withdraw_services() {
    lan sig 2 publisher TERM
    await 30 "an empty list" listed 0
}

measure_lag() {
    echo "relctl watch, compared with avahi-browse -pr, $events new services"
    on_browser "$python" "$root/Benchmarks/watch_lag.py" Lag $events relctl watch --json 2>"$work/lag.log" >>"$results" &
    local watcher=$!
    await 10 "both watchers" grep -q watching "$work/lag.log"
    lan bg 2 events "$peers/publish_many" Lag $events 250
    wait $watcher || die "$(cat "$work/lag.log")"
}

measure_fan_out() {
    echo "One change to 100 watchers, $changes times"
    on_browser relctl add fan-out 192.0.2.1 >/dev/null
    on_browser "$peers/fan_out" $runtime/relativityd/relativityd.sock fan-out 100 $changes >>"$results"
    on_browser relctl endpoint remove fan-out >/dev/null
}

# Server and client share one core. On two cores the time would be dominated by waking up the other core.
measure_round_trips() {
    echo "Round trips, $trips times $calls calls each, all on core $core"
    local sockets=$runtime/bench request=$work/request reply=$work/reply _
    lan exec 1 mkdir -p -m 700 $sockets
    printf '{"method":"org.varlink.service.GetInfo","parameters":{}}' >"$request"
    on_browser taskset --all-tasks --cpu-list --pid $core "$daemon" >/dev/null
    trip() { on_browser "$peers/roundtrip" "$1" "$2" $core "$request" "${@:3}"; }
    trip API $runtime/relativityd/relativityd.sock 1 "$reply" >/dev/null

    lan bg 1 echo "$peers/echo_server" $sockets/echo $core "$reply"
    lan bg 1 bus taskset --cpu-list $core dbus-daemon --session --nofork --nopidfile --address=unix:path=$sockets/bus
    lan bg 1 varlink "$python" "$root/Benchmarks/peers/varlink_server.py" $sockets/varlink $core
    for _ in echo bus varlink; do
        await 10 "$sockets/$_" is_socket $sockets/$_
    done
    for _ in $(seq $trips); do
        {
            trip API $runtime/relativityd/relativityd.sock $calls
            trip echo $sockets/echo $calls
            on_browser "$peers/dbus_roundtrip" D-Bus unix:path=$sockets/bus $core $calls
            trip "varlink (PyPI)" $sockets/varlink $calls
        } >>"$results"
    done
}

measure_registry() {
    echo "The registry: 10,000 sightings"
    local probe=$root/.build/release/registry-probe
    [ -x "$probe" ] || die "no registry-probe: make bench builds it"
    "$probe" "$work/registry" 10000 "$trips" | sed 's/^{/{"name": "registry", /' >>"$results"
}

# On the disk of the project: a tmpfs writes nothing, so only the computation would be measured.
measure_vault() {
    echo "The vault: $saves saves, each compared with the same bytes without a vault"
    local probe=$root/.build/release/vault-probe vault
    [ -x "$probe" ] || die "no vault-probe: make bench builds it"
    vault=$(mktemp -d "$root/.build/bench-vault.XXXXXX")
    mkdir -m 700 "$vault/credentials"
    head -c 32 /dev/urandom >"$vault/credentials/relativityd.vault-key"
    chmod 400 "$vault/credentials/relativityd.vault-key"
    {
        echo create
        seq -f 'add login-%g' 100
        echo "bench $saves"
    } | "$probe" "$vault/data" "$vault/credentials" | sed -n 's/^ok {/{"name": "vault", /p' >>"$results"
    rm -rf "$vault"
}

# Both read exactly the same bytes, alternately.
measure_wire() {
    echo "Decoding replies of 1 MB, $trips times $decodes times"
    local probe=$root/.build/release/wire-probe shape _
    [ -x "$probe" ] || die "no wire-probe: make bench builds it"
    mkdir "$work/replies"
    "$probe" write "$work/replies"
    for _ in $(seq $trips); do
        {
            taskset --cpu-list $core "$probe" $decodes
            for shape in binary structs; do
                taskset --cpu-list $core "$peers/decode_copy" $shape "$work/replies/$shape" $decodes
            done
        } >>"$results"
    done
}

# Both read the same stream, alternately.
measure_decode() {
    echo "Decoding a table of $rows rows, $trips times"
    local probe=$root/.build/release/table-probe
    [ -x "$probe" ] || die "no table-probe: make bench builds it"
    "$probe" write "$work/table" "$rows"
    for _ in $(seq $trips); do
        taskset --cpu-list $core "$probe" read "$work/table" 3 >>"$results"
        taskset --cpu-list $core "$peers/table_scan" "$work/table" 3 >>"$results"
    done
    echo "Predicates on a table of $rows rows, compared with sqlite3 in memory"
    taskset --cpu-list $core "$probe" filter "$work/table" $trips >>"$results"
    taskset --cpu-list $core "$python" Benchmarks/tables.py filter "$rows" $trips >>"$results"
    echo "A view and a briefcase of it: sorted by two keys, compared with sqlite3 in memory, and opened"
    {
        taskset --cpu-list $core "$probe" sort "$work/table" $trips
        taskset --cpu-list $core "$python" Benchmarks/tables.py sort "$rows" $trips
        taskset --cpu-list $core "$probe" briefcase "$work/table" $trips
    } >>"$results"
    rm "$work/table"
    local orders=$((rows / 10))
    echo "The sum of the details of $orders orders, compared with sqlite3 in memory"
    taskset --cpu-list $core "$probe" sum "$orders" $trips >>"$results"
    taskset --cpu-list $core "$python" Benchmarks/tables.py sum "$orders" $trips >>"$results"
}

measure_start() {
    echo "relctl --version"
    on_browser "$peers/time_commands" $commands "relctl --version" relctl --version >>"$results"
}

# A server with a login on the daemon's own host: reached directly as by any client, and through an adapter.
measure_adapters() {
    echo "Adapters: opened, called by 1 and by 16 callers, and $adapters of them open"
    local port=17099 passphrase=bench-passphrase forwarder=$runtime/bench-forwarder fingerprint
    lan bg 1 server "$programs/relativity-sample-server" --port $port --data-dir "$work/server"
    await 10 "the sample server" on_browser bash -c "(exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null"
    lan bg 1 forwarder "$peers/forwarder" $forwarder $port
    await 10 "the forwarder" is_socket $forwarder
    # measure_round_trips has pinned the daemon to one core.
    on_browser taskset --all-tasks --cpu-list --pid "0-$core" "$daemon" >/dev/null
    on_browser relctl add bench 127.0.0.1:$port >/dev/null
    on_browser relctl vault init --provider passphrase --passphrase-stdin <<<$passphrase >/dev/null
    fingerprint=$(on_browser relctl show bench --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["fingerprint"])')
    on_browser relctl login add bench --user simple --domain DASamples --schema Simple --password-stdin \
        --allow-plaintext --pin "$fingerprint" <<<simple >/dev/null
    on_browser "$python" "$root/Benchmarks/adapters.py" $runtime/relativityd/relativityd.sock "$daemon" bench $port $forwarder \
        "$peers/adapter_calls" "$calls" "$adapters" >>"$results"
    lan sig 1 forwarder TERM
    lan sig 1 server TERM
}

# Uses the vault of measure_adapters.
measure_stream() {
    echo "A reply of $stream MB through an adapter, $trips times"
    on_browser "$python" "$root/Benchmarks/throughput.py" "$root/Tests/Tools/hostile_server.py" "$peers/forwarder" \
        $runtime/bench-stream "$stream" "$trips" >>"$results"
}

# Uses the vault of measure_adapters.
measure_tables() {
    local port=17098 reads=$trips fingerprint
    [ "$reads" -lt 5 ] || reads=5
    echo "A table of $rows rows, read and exported $reads times"
    mkdir "$work/tables"
    "$python" Benchmarks/tables.py prepare "$work/tables/sales.db" "$rows"
    lan bg 1 tables "$programs/relativity-sample-server" --port $port --data-dir "$work/tables" --database "$work/tables/sales.db" \
        --compression 0
    await 10 "the server of the table" on_browser bash -c "(exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null"
    on_browser taskset --all-tasks --cpu-list --pid "0-$core" "$daemon" >/dev/null
    on_browser relctl add tables 127.0.0.1:$port >/dev/null
    fingerprint=$(on_browser relctl show tables --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["fingerprint"])')
    on_browser relctl login add tables --user Data --password-stdin --allow-plaintext --pin "$fingerprint" <<<Relativity >/dev/null
    on_browser "$python" "$root/Benchmarks/tables.py" measure "$work/tables/sales.db" "$reads" "$work/tables" >>"$results"
    echo "1,000 rows on a terminal, $trips times"
    on_browser "$python" "$root/Benchmarks/tables.py" browse "$trips" >>"$results"
    echo "A CSV file of 100,000 rows, imported $reads times"
    on_browser "$python" "$root/Benchmarks/tables.py" import "$work/tables/sales.db" "$reads" "$work/tables" >>"$results"
    echo "10,000 updates and inserts of this table"
    on_browser "$python" "$root/Benchmarks/tables.py" edit "$work/tables/sales.db" "$trips" "$root/.build/release/table-probe" >>"$results"
    lan sig 1 tables TERM
}

# Repeats the round trips while the vault of measure_adapters is locked and unlocked continuously on the same core.
measure_unlock() {
    echo "Round trips while the vault is unlocked repeatedly"
    local passphrase=bench-passphrase rounds=$((5 * calls)) unlocker _
    on_browser taskset --all-tasks --cpu-list --pid $core "$daemon" >/dev/null
    for _ in $(seq $trips); do
        on_browser "$peers/roundtrip" "API, quiet" $runtime/relativityd/relativityd.sock $core "$work/request" $rounds >>"$results"
    done
    while on_browser relctl vault lock && on_browser relctl vault unlock --passphrase-stdin <<<$passphrase; do :; done \
        >/dev/null 2>"$work/unlock.log" &
    unlocker=$!
    for _ in $(seq $trips); do
        on_browser "$peers/roundtrip" "API, unlocking" $runtime/relativityd/relativityd.sock $core "$work/request" $rounds >>"$results"
    done
    kill $unlocker || die "unlocking ended: $(cat "$work/unlock.log")"
    wait $unlocker || true
    on_browser taskset --all-tasks --cpu-list --pid "0-$core" "$daemon" >/dev/null
}

compile_peers
lan up 3
start_daemon
measure_idle
measure_start
measure_list 200
withdraw_services
measure_list 1000
measure_memory 1000
measure_list_at_daemon 1000
withdraw_services
measure_lag
measure_fan_out
measure_round_trips
measure_adapters
measure_stream
measure_tables
measure_unlock
measure_registry
measure_vault
measure_wire
measure_decode
echo
"$python" Benchmarks/report.py "$results"
