#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the packages of the last commit twice, in fresh clones at the same path, and compares them. If they differ,
# diffoscope shows where. Needs root, for the mount namespaces. Takes two complete release builds. Exits with 0 if all
# packages have the same bytes.
set -euo pipefail

cd "$(dirname "$0")/../.."
root=$PWD
work=${REPRODUCIBLE_DIR:-$root/.build/reproducible}
# shellcheck source=Tests/Tools/checks.sh
source Tests/Tools/checks.sh
commit=$(git rev-parse HEAD)
rm -rf "$work"
mkdir -p "$work"

# The clone is mounted in place of the sources, so that both builds have the same path.
for build in first second; do
    git clone --quiet --no-hardlinks "$root" "$work/$build"
    git -C "$work/$build" checkout --quiet "$commit"
    # shellcheck disable=SC2016
    unshare --mount bash -c 'mount --bind "$0" "$1" && cd "$1" && SKIP_REQUIREMENTS=1 make deb tarball' \
        "$work/$build" "$root" >"$work/$build.log" 2>&1 || { tail -n 20 "$work/$build.log"; exit 1; }
    (cd "$work/$build/.build/packages" && sha256sum ./*) >"$work/$build.sums"
done
cat "$work/first.sums"
check "two packages, a tar file and a bill of materials" 4 "$(wc -l <"$work/first.sums")"
check "two builds give the same bytes" "$(<"$work/first.sums")" "$(<"$work/second.sums")"
if ! cmp -s "$work/first.sums" "$work/second.sums" && command -v diffoscope >/dev/null; then
    diffoscope --max-report-size 200000 "$work"/{first,second}/.build/packages | head -n 200
fi

finish
