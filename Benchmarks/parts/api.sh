#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Round trips of the API.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

# Server and client share one core. On two cores the time would be dominated by waking up the other core.
readonly request=$work/request reply=$work/reply
trip() { on_host "$peers/roundtrip" "$1" "$2" $core "$request" "${@:3}"; }

measure_peers() {
    local sockets=$runtime/bench _
    lan exec 1 mkdir -p -m 700 $sockets
    trip API $api 1 "$reply" >/dev/null
    lan bg 1 echo "$peers/echo_server" $sockets/echo $core "$reply"
    lan bg 1 bus taskset --cpu-list $core dbus-daemon --session --nofork --nopidfile --address=unix:path=$sockets/bus
    lan bg 1 varlink "$python" "$root/Benchmarks/peers/varlink_server.py" $sockets/varlink $core
    for _ in echo bus varlink; do
        await 10 "$sockets/$_" is_socket $sockets/$_
    done
    for _ in $(seq $trips); do
        record trip API $api $calls
        record trip echo $sockets/echo $calls
        record on_host "$peers/dbus_roundtrip" D-Bus unix:path=$sockets/bus $core $calls
        record trip "varlink (PyPI)" $sockets/varlink $calls
    done
}

# The same while the vault is locked and unlocked continuously on the same core.
measure_unlock() {
    local unlocker _
    for _ in $(seq $trips); do record trip "API, quiet" $api $((5 * calls)); done
    while on_host relctl vault lock && on_host relctl vault unlock --passphrase-stdin <<<$passphrase; do :; done \
        >/dev/null 2>"$work/unlock.log" &
    unlocker=$!
    for _ in $(seq $trips); do record trip "API, unlocking" $api $((5 * calls)); done
    kill $unlocker || die "unlocking ended: $(cat "$work/unlock.log")"
    wait $unlocker || true
}

start_daemon 1
make_vault
printf '{"method":"org.varlink.service.GetInfo","parameters":{}}' >"$request"
pin $core
measure_peers
measure_unlock
