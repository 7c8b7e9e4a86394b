#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# pin-packages.sh: makes Swift build with the versions in packages.txt, from which a release is built. Package.swift
# has ranges, because other packages import our products. Without the pins, each build would use the newest versions.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly list=scripts/packages.txt pins=Package.resolved
trap 'rm -f "$pins.new"' EXIT

pinned() {
    local address version
    while read -r address version; do
        grep -A 5 "\"identity\" : \"${address##*/}\"" $pins | grep -q "\"version\" : \"$version\"" || return
    done <$list
}

# An annotated tag names its commit with ^{}.
commit_of() {
    git ls-remote "$1" "refs/tags/$2" "refs/tags/$2^{}" | sort -k 2 | tail -n 1 | cut -f 1
}

[ ! -e $pins ] || ! pinned || exit 0
{
    echo '{ "pins" : ['
    comma=
    while read -r address version; do
        commit=$(commit_of "$address" "$version")
        [ -n "$commit" ] || {
            echo "pin-packages.sh: $address has no version $version" >&2
            exit 1
        }
        printf '%s  {\n    "identity" : "%s",\n    "kind" : "remoteSourceControl",\n    "location" : "%s",\n' \
            "$comma" "${address##*/}" "$address"
        printf '    "state" : { "revision" : "%s",\n      "version" : "%s" }\n  }' "$commit" "$version"
        comma=$',\n'
    done <$list
    printf '\n], "version" : 3 }\n'
} >$pins.new
mv $pins.new $pins
