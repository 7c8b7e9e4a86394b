#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# For scripts that check: source it, call check and await, end with finish.
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

# await DESCRIPTION EXPECTED COMMAND...: checks the output of COMMAND, which has 20 seconds to come to be as expected.
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
