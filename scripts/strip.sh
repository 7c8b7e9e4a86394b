#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# strip.sh DIRECTORY PROGRAM...: writes stripped copies of release programs to DIRECTORY, with relctl's completions.
set -euo pipefail

target=$1
shift
built=$(swift build -c release --static-swift-stdlib --show-bin-path)
mkdir -p "$target"
for program in "$@"; do
    # Written to a new file first, so that a running copy keeps its own file.
    strip -o "$target/$program.new" "$built/$program"
    mv "$target/$program.new" "$target/$program"
done
for shell in bash zsh fish; do
    # A shell reads the script, so a first line that names an interpreter has no effect.
    "$target/relctl" --generate-completion-script $shell | sed '1{/^#!/d}' >"$target/relctl.$shell"
done
ls -l "$target"
