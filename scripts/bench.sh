#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# bench.sh [PART...]: measures relativityd and relctl beside their peers, and prints a table for each part. Without PART
# it runs all parts of Benchmarks/parts and writes docs/measurements.md. Each part has a daemon of its own, on hosts of a
# LAN in network namespaces. Needs root. Ends with status 1 if a part fails, a figure is missing or a target is missed.
#
# PROGRAMS_DIR names the directory with the stripped release programs (default .build/stripped). QUICK=1 runs fewer
# rounds, to try the benchmark: its figures are not valid, so missed targets are no failure and nothing is written.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly all="start idle list watch api adapters stream tables frames registry vault wire rows"
export PROGRAMS_DIR=${PROGRAMS_DIR:-.build/stripped}

die() {
    echo "bench.sh: $*" >&2
    exit 1
}

for part in "$@"; do
    [[ " $all " == *" $part "* ]] || die "no part '$part'; the parts are: $all"
done
[ "$(id -u)" = 0 ] || die "network namespaces need root: after make bench as you, sudo scripts/bench.sh $*"
[ -x "$PROGRAMS_DIR/relativityd" ] || die "nothing to measure in $PROGRAMS_DIR: make release"
for probe in vault registry wire table; do
    [ -x .build/release/$probe-probe ] || die "no $probe-probe: make bench builds it"
done

compile_peers() {
    local flags="-O2 -Wall -Wextra -Werror" peers=.build/peers peer libraries
    mkdir -p $peers
    for peer in Benchmarks/peers/*.c; do
        peer=$(basename "$peer" .c)
        case $peer in
            dbus_roundtrip) libraries=$(pkg-config --cflags --libs dbus-1) ;;
            publish_many) libraries=$(pkg-config --cflags --libs avahi-client) ;;
            *) libraries= ;;
        esac
        # shellcheck disable=SC2086 # several flags
        cc $flags -o "$peers/$peer" "Benchmarks/peers/$peer.c" $libraries
    done
}

results=$(mktemp /tmp/relativityd-bench.XXXXXX)
trap 'rm -f "$results"' EXIT
export BENCH_RESULTS=$results

compile_peers
failed=()
read -r -a parts <<<"${*:-$all}"
for part in "${parts[@]}"; do
    echo "== $part"
    bash "Benchmarks/parts/$part.sh" || failed+=("$part")
done
echo

options=()
if [ "${QUICK:-}" = 1 ]; then
    options=(--quick)
elif [ $# = 0 ] && [ ${#failed[@]} = 0 ]; then
    options=(--write docs/measurements.md)
fi
status=0
.build/python/bin/python3 Benchmarks/report.py "${options[@]}" "$results" "${parts[@]}" || status=1
[ ${#failed[@]} = 0 ] || die "failed parts: ${failed[*]}"
exit $status
