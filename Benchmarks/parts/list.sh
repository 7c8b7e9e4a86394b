#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# `relctl list` of 200 and of 1,000 announced services, and the memory for them.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

listed() { [ "$(on_host relctl list --json | grep -o '"Bench [0-9]*"' | sort -u | wc -l)" = "$1" ]; }

publish() {
    lan bg 2 publisher "$peers/publish_many" Bench "$1"
    await 60 "$1 services in relctl list" listed "$1"
}

withdraw() {
    lan sig 2 publisher TERM
    await 30 "an empty list" listed 0
}

measure_list() {
    local type=_Relativity_DataService_rosdk._tcp list="relctl list of $1" _
    on_host relctl list >"$work/list"
    record on_host "$peers/time_commands" $commands "$list" relctl list \
        -- "print_list of $1" "$peers/print_list" $api "$work/list" \
        -- "avahi-browse -cpt of $1" avahi-browse -cpt $type
    # On host 3 no relativityd keeps a browser open, as on a machine without it. On host 1 avahi-daemon answers from its
    # cache, which relativityd's browser has filled.
    for _ in $(seq $browses); do
        record on_host "$peers/time_commands" 1 "$list, in between" relctl list
        record lan exec 3 "$peers/time_commands" 1 "avahi-browse -rpt of $1" avahi-browse -rpt $type
        record on_host "$peers/time_commands" 1 "avahi-browse -rpt of $1 beside relativityd" avahi-browse -rpt $type
    done
}

memory() { record on_host "$python" "$root/Benchmarks/idle.py" "$1" "$daemon" 1; }

# The daemon and a C server that sends the same bytes share a core with the client.
measure_list_at_daemon() {
    local request=$work/request change=$work/change reply=$work/reply
    printf '{"method":"org.relativityd.Registry.List"}' >"$request"
    printf '{"method":"org.relativityd.Registry.Set","parameters":{"endpoint":"Bench 001","hidden":false}}' >"$change"
    ask() { on_host "$peers/roundtrip" "$1" "$2" $core "$request" "${@:3}"; }
    pin $core
    ask first $api 1 "$reply" >/dev/null
    lan bg 1 echo "$peers/echo_server" $runtime/echo $core "$reply"
    await 10 "the C server" is_socket $runtime/echo
    record ask "List of $1" $api $commands
    record ask "echo of the list of $1" $runtime/echo $commands
    record ask "List of $1 after a change" $api $commands "$reply" "$change"
}

start_daemon 3
sync
sleep 2
memory "0 endpoints"
publish 200
measure_list 200
withdraw
publish 1000
measure_list 1000
memory "1000 endpoints"
# On host 3, which receives the same announcements.
record lan exec 3 "$python" "$root/Benchmarks/peers/zeroconf_browser.py" 1000
# After the memory, because settings and their file would add to it.
measure_list_at_daemon 1000
