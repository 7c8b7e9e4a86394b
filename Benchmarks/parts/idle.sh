#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# An idle daemon: memory and wake-ups.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

start_daemon 1
# Pages of a recently written program count as its own dirty memory until they are on disk.
sync
sleep 5
record on_host "$python" "$root/Benchmarks/idle.py" idle "$daemon" $idle_seconds
