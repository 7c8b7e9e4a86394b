#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks programs of others that read tables, with the programs in PROGRAMS_DIR (default .build/stripped): the adapter of
# Harlequin, readers of streams that are cut, and each example of docs/how-to/use-with.md as printed. Needs the environments
# of python-env.sh, also those for tools and harlequin. Exits with 0 if every check succeeds.
set -euo pipefail

cd "$(dirname "$0")/../.."
programs=$(realpath "${PROGRAMS_DIR:-.build/stripped}")
root=$PWD
environments=$PWD/.build/python/bin:$PWD/.build/python-tools/bin:$PWD/.build/python-harlequin/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=Tests/Tools/checks.sh
source Tests/Tools/checks.sh

scripts/python-wheel.sh "$work" >/dev/null
mkdir "$work/home"
printf '[SQLite3]\nDriver = libsqlite3odbc.so\n' >"$work/odbcinst.ini"

# sandbox OPTION... -- COMMAND...: prints the output if the command fails.
sandbox() {
    env HOME="$work/home" PATH="$programs:$environments:$PATH" PYTHONS="$environments" RELCTL="$programs/relctl" LC_ALL=C.UTF-8 \
        PYTHONPATH="$(echo "$work"/relativity-*.whl)" PYTHONDONTWRITEBYTECODE=1 LD_LIBRARY_PATH="$programs" \
        ODBCSYSINI="$work" ODBCINI="$work/home/.odbc.ini" \
        "$root/Tests/Tools/alone.sh" "$programs/relctl" sandbox --user Data --schema PCTrade "$@" >"$work/log" 2>&1 \
        || { cat "$work/log" >&2; return 1; }
}

tests() { cd python/tests && sandbox -- "$root/.build/$1/bin/python3" -W error::ResourceWarning -m unittest "$2"; }

check "the adapter of Harlequin passes its tests" 0 "$( (tests python-harlequin test_harlequin); echo $?)"
check "no reader takes a cut stream for a whole one" 0 "$( (tests python test_streams); echo $?)"
check "the examples of use-with.md work as printed" 0 \
    "$(sandbox --servers 2 -- python3 Tests/Tools/run_examples.py docs/how-to/use-with.md; echo $?)"
cat "$work/log"

finish
