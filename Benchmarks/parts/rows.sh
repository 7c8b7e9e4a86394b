#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Rows in memory: decoded, filtered, sorted and summed, beside a C program and sqlite3 in memory.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

on_core() { taskset --cpu-list $core "$@"; }
probe=$probes/table-probe
"$probe" write "$work/table" "$rows"
for _ in $(seq $trips); do
    record on_core "$probe" read "$work/table" 3
    record on_core "$peers/table_scan" "$work/table" 3
done
record on_core "$probe" filter "$work/table" $trips
record on_core "$python" Benchmarks/tables.py filter "$rows" $trips
record on_core "$probe" sort "$work/table" $trips
record on_core "$python" Benchmarks/tables.py sort "$rows" $trips
record on_core "$probe" briefcase "$work/table" $trips
record on_core "$probe" sum $((rows / 10)) $trips
record on_core "$python" Benchmarks/tables.py sum $((rows / 10)) $trips
