#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The local API without any library: one call, and its answer as JSON. A message of Varlink is JSON that ends with a
# zero byte. Needs socat and jq.
set -eu

socket=${RELATIVITYD_SOCKET:-$XDG_RUNTIME_DIR/relativityd/relativityd.sock}

printf '{"method":"org.relativityd.Registry.List"}\0' |
    socat -t 5 - "UNIX-CONNECT:$socket" |
    tr -d '\0' |
    jq -r '.parameters.endpoints[] | [.name, .state, .url] | @tsv'
