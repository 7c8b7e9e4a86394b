#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Changes of the list, as watchers see them.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

measure_lag() {
    on_host "$python" "$root/Benchmarks/watch_lag.py" Lag $events relctl watch --json 2>"$work/lag.log" >"$work/lag" &
    local watcher=$!
    await 10 "both watchers" grep -q watching "$work/lag.log"
    lan bg 2 events "$peers/publish_many" Lag $events 250
    wait $watcher || die "$(cat "$work/lag.log")"
    record cat "$work/lag"
}

# One change to 100 watchers: by the daemon, and by a C program that saves and sends as many bytes.
measure_fan_out() {
    on_host relctl add fan-out 192.0.2.1 >/dev/null
    lan bg 1 fan-out "$peers/fan_out_server" $runtime/fan-out "$work/home"
    await 10 "the C server" is_socket $runtime/fan-out
    local _
    for _ in 1 2 3; do
        record on_host "$peers/fan_out" fan-out $api fan-out 100 $changes
        record on_host "$peers/fan_out" "fan-out in C" $runtime/fan-out fan-out 100 $changes
    done
}

start_daemon 2
record on_host "$peers/time_commands" $commands "C start, $part" "$peers/print_version"
measure_lag
measure_fan_out
