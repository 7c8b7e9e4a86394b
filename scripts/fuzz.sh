#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh SECONDS [PARSER...]: runs libFuzzer on each parser of untrusted bytes for SECONDS, two at a time. It starts
# from Fuzz/corpus and from the inputs of earlier runs, which are kept in .build-fuzz/corpus. An input that crashes a
# parser is written to .build-fuzz/crashes and named at the end. Leaks are not detected.
#
# With 0 seconds, each known input is read once by the modules of the debug build, without libFuzzer and sanitizer.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly seconds=$1
shift
[ $# != 0 ] || set -- json frame message reply table delta pending briefcase import rodl schema where query predicate expression payload text vault dns etcd announcement url client keys arrow
# Swift's own crash report would prevent libFuzzer from writing the input that caused the crash.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

build=(swift build)
if [ "$seconds" = 0 ]; then
    export RELATIVITYD_FUZZ=known
else
    export RELATIVITYD_FUZZ=1
    build+=(--scratch-path .build-fuzz -Xswiftc "-sanitize=fuzzer,address" -Xswiftc -use-ld=lld)
fi
programs=$("${build[@]}" --show-bin-path)
readonly programs
mkdir -p "$programs"
case " $* " in
    " arrow ") ;;
    *) "${build[@]}" ;;
esac
case " $* " in
    # In C, for the extension of SQLite.
    *" arrow "*)
        clang -g -O1 -fsanitize=fuzzer,address -fuse-ld=lld -o "$programs/fuzz-arrow" Fuzz/arrow/fuzz.c sqlite/arrow.c
        ;;
esac

if [ "$seconds" = 0 ]; then
    for parser in "$@"; do
        inputs=("Fuzz/corpus/$parser"/*)
        for input in "${inputs[@]}"; do
            timeout -s KILL 60 "$programs/fuzz-$parser" "$input" >"$programs/fuzz-$parser.log" 2>&1 || {
                tail -n 30 "$programs/fuzz-$parser.log"
                echo "fuzz-$parser failed with $input" >&2
                exit 1
            }
        done
        echo "fuzz-$parser: ${#inputs[@]} known inputs"
    done
    exit
fi

fuzz() {
    local found=.build-fuzz/corpus/$1 crashes=.build-fuzz/crashes/$1
    mkdir -p "$found" "$crashes"
    timeout -s KILL $((seconds + 60)) "$programs/fuzz-$1" \
        -max_total_time="$seconds" -max_len=16384 -detect_leaks=0 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$crashes/" "$found" "Fuzz/corpus/$1" >".build-fuzz/$1.log" 2>&1
}

judge() {
    wait "$1" || {
        tail -n 30 ".build-fuzz/$2.log"
        echo "fuzz-$2 failed; its input is in .build-fuzz/crashes/$2" >&2
        exit 1
    }
    echo "fuzz-$2: $seconds s," \
        "$(sed -n 's/stat::number_of_executed_units: *//p' ".build-fuzz/$2.log") inputs," \
        "$(grep -o 'cov: [0-9]*' ".build-fuzz/$2.log" | tail -n 1) edges"
}

while [ $# != 0 ]; do
    fuzz "$1" &
    first=$!
    if [ $# = 1 ]; then
        judge $first "$1"
        break
    fi
    fuzz "$2" &
    second=$!
    judge $first "$1"
    judge $second "$2"
    shift 2
done
