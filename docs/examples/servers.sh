#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Lists Relativity servers, shows one, or watches them, with curl alone.
#
#     servers.sh list | show ENDPOINT | watch
#
# Prints JSON. A call that fails prints the error's name, its text and its other members, and ends with exit code 22.
set -eu

socket=${RELATIVITYD_SOCKET:-$XDG_RUNTIME_DIR/relativityd/relativityd.sock}

# The host of the URL means nothing. --no-buffer is for streams.
call() {
    method=$1
    shift
    curl --unix-socket "$socket" --silent --show-error --fail-with-body --no-buffer "$@" \
        "http://d/call/org.relativityd.$method"
}

# A text as JSON; names that servers announce may hold anything.
quoted() {
    printf '"%s"' "$(printf %s "$1" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')"
}

case ${1:-} in
    list) call Registry.List ;;
    show) call Registry.Get --data "{\"endpoint\": $(quoted "$2")}" ;;
    # Each record stands between the bytes RS (0x1E) and LF (RFC 7464). Without RS they are JSON lines.
    watch) call Registry.Watch | sed -u "s/$(printf '\036')//" ;;
    *) sed -n 's/^#  *\(servers\.sh .*\)/usage: \1/p' "$0" >&2 && exit 64 ;;
esac
