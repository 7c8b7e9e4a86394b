#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# unit.sh [OPTION...]: runs the unit tests that `swift build --build-tests` has built, in parallel, in an empty home and
# with an empty environment. Root runs them as the user `nobody`. A skipped test is a failure: unit tests have no
# requirements. Options, such as --filter and a pattern, are those of `swift test`.
set -euo pipefail
cd "$(dirname "$0")/../.."

[ "${RELATIVITYD_SYSTEM_TESTS:-}" != 1 ] || {
    echo "unit.sh: RELATIVITYD_SYSTEM_TESTS=1 adds tests that are no unit tests" >&2
    exit 64
}
built=$(swift build --show-bin-path)
home=$(mktemp -d)
output=$(mktemp)
trap 'rm -rf "$home" "$output"' EXIT

as_user=()
run() {
    "${as_user[@]}" env -i PATH="$PATH" HOME="$home" TMPDIR="$home" \
        "$built/relativitydPackageTests.xctest" --testing-library swift-testing "$@"
}

if [ "$(id -u)" = 0 ]; then
    as_user=(setpriv --reuid nobody --regid nogroup --clear-groups)
    chown nobody:nogroup "$home"
    # The user `nobody` cannot read a clone in root's home.
    if ! "${as_user[@]}" test -r "$PWD/Package.swift" || ! run --list-tests >/dev/null 2>&1; then
        echo "unit.sh: the user nobody cannot read $PWD, so root runs the tests" >&2
        as_user=()
    fi
fi

run --parallel "$@" 2>&1 | tee "$output"
if grep -E '^[^ ]+ (Test|Suite) .* skipped(\.|: )' "$output"; then
    echo "unit.sh: these were skipped" >&2
    exit 1
fi
