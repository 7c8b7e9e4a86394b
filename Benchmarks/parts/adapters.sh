#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Adapters to a server on the same host, which is also called directly: opened, called by 1 and by 16 callers, and many.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

readonly port=17099 forwarder=$runtime/forwarder
start_daemon 1
lan bg 1 server "$programs/relativity-sample-server" --port $port --data-dir "$work/server"
await 10 "the sample server" is_port $port
lan bg 1 forwarder "$peers/forwarder" $forwarder $port
await 10 "the forwarder" is_socket $forwarder
make_vault
add_login bench $port simple --user simple --domain DASamples --schema Simple
record on_host "$python" "$root/Benchmarks/adapters.py" $api "$daemon" bench $port $forwarder "$peers/adapter_calls" \
    "$calls" "$adapters"
