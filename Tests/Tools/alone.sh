#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# alone.sh COMMAND...: runs a command in a network namespace with loopback only, so that it cannot reach other machines.
# A user other than root gets the same inside a user namespace.
set -euo pipefail

[ $# -gt 0 ] || {
    sed -n '4,5s/^# //p' "$0" >&2
    exit 64
}
own_user=()
[ "$(id -u)" = 0 ] || own_user=(--user --map-current-user --keep-caps)
# The quotes are intended: the inner shell expands the variables.
# shellcheck disable=SC2016
exec unshare "${own_user[@]}" --net sh -c 'ip link set lo up && exec "$@"' alone "$@"
