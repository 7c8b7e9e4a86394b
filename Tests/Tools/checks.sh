#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Functions for scripts with checks: source this file, call check and await, and finish at the end.
failures=0

# check DESCRIPTION EXPECTED ACTUAL
check() {
    if [ "$2" = "$3" ]; then
        echo "ok       $1"
    else
        printf "FAILED   %s: expected '%s', got '%s'\n" "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}

# await DESCRIPTION EXPECTED COMMAND...: checks that the output of COMMAND becomes EXPECTED within 20 seconds.
await() {
    local description=$1 expected=$2 actual="" _
    shift 2
    for _ in $(seq 200); do
        actual=$("$@" 2>/dev/null || true)
        [ "$actual" != "$expected" ] || break
        sleep .1
    done
    check "$description" "$expected" "$actual"
}

finish() {
    if [ $failures -gt 0 ]; then
        echo "$failures checks failed" >&2
        exit 1
    fi
}
