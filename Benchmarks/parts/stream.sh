#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# One long reply through an adapter.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

start_daemon 1
make_vault
record on_host "$python" "$root/Benchmarks/throughput.py" "$root/Tests/Tools/hostile_server.py" "$peers/forwarder" \
    $runtime/stream "$stream" "$trips"
