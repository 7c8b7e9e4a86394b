#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# strip.sh DIRECTORY PROGRAM...: writes stripped copies of release programs to DIRECTORY, with relctl's completions.
set -euo pipefail

target=$1
shift
built=$(swift build -c release --static-swift-stdlib --show-bin-path)
mkdir -p "$target"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# reproducible FILE: removes what differs between two builds of one commit. Swift records hashes of modules for its
# incremental builds, and the linker derives the build ID from them; it is derived from the rest of the file here.
reproducible() {
    objcopy --dump-section ".swift_modhash=$work/hashes" --dump-section ".note.gnu.build-id=$work/id" "$1" "$work/copy"
    head -c "$(stat -c %s "$work/hashes")" /dev/zero >"$work/zeros"
    # 16 bytes of a note's header, then the ID.
    { head -c 16 "$work/id"; head -c 20 /dev/zero; } >"$work/no-id"
    objcopy --update-section ".swift_modhash=$work/zeros" --update-section ".note.gnu.build-id=$work/no-id" "$1"
    { head -c 16 "$work/id"; sha1sum "$1" | head -c 40 | sed 's/../\\x&/g' | xargs -0 printf '%b'; } >"$work/new-id"
    objcopy --update-section ".note.gnu.build-id=$work/new-id" "$1"
}

for program in "$@"; do
    # Written to a new file first, so that a running copy keeps its own file.
    strip -o "$target/$program.new" "$built/$program"
    reproducible "$target/$program.new"
    mv "$target/$program.new" "$target/$program"
done
for shell in bash zsh fish; do
    # A shell reads the script, so a first line that names an interpreter has no effect.
    "$target/relctl" --generate-completion-script $shell | sed '1{/^#!/d}' >"$target/relctl.$shell"
done
ls -l "$target"
