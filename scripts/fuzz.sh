#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh SECONDS [PARSER...]: lets libFuzzer try each parser of outside bytes for so long. What it found interesting is
# kept in .build-fuzz/corpus; an input that crashes a parser is left beside it and named. Leaks are not looked for: the TOML
# library leaks some bytes at each parse, of which a daemon makes one.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
[ $# != 0 ] || set -- json message vault text
export RELATIVITYD_FUZZ=1
# Swift's own crash report would keep libFuzzer from writing the input that caused it.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
for parser in "$@"; do
    swift build --scratch-path .build-fuzz --product "fuzz-$parser" -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
    corpus=.build-fuzz/corpus/$parser
    mkdir -p "$corpus"
    echo "fuzz-$parser for $seconds s"
    timeout -s KILL $((seconds + 60)) "$(swift build --scratch-path .build-fuzz --show-bin-path)/fuzz-$parser" \
        -max_total_time="$seconds" -max_len=16384 -detect_leaks=0 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$corpus/" "$corpus" >".build-fuzz/$parser.log" 2>&1 || {
        tail -n 30 ".build-fuzz/$parser.log"
        exit 1
    }
    grep -E 'number_of_executed_units|average_exec_per_sec' ".build-fuzz/$parser.log"
done
