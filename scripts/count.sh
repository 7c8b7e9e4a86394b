#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Counts properties that a change of structure should reduce, to compare two states of the sources:
#
#     scripts/count.sh [DIRECTORY]
#
# DIRECTORY contains the folder Sources; the default is this repository. Generated files are left out. It prints
# - the number of Swift files, and the median and the 90th percentile of their lines,
# - the lines of each module, without those that are blank or only a comment,
# - the stored properties of actors and classes that are neither private nor fileprivate, with the types that have most,
# - string literals that spell a method (Interface.Method) or a JSON key.
#
# All except the first are found by patterns, line by line, not by a parser: good for a comparison, not as proof.
set -euo pipefail
export LC_ALL=C

cd "${1:-$(dirname "$0")/..}"

files() { find Sources -name '*.swift' -not -path '*/Generated/*' | sort; }

# Reads the files named on its input, and prints for each such property: kind, type and name.
wide_properties() {
    # shellcheck disable=SC2016 # It is awk that expands.
    xargs awk '
        FNR == 1 { depth = 0; top = 0 }
        {
            line = $0
            gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
            sub(/\/\/.*/, "", line)
            words = line
            sub(/^[ \t]+/, "", words)
            inside = top > 0 && depth == at[top] && (kind[top] == "actor" || kind[top] == "class")
            is_property = words ~ /^((package|public|internal|open|nonisolated|weak|unowned|lazy|final|override)(\([a-z]+\))? |(private|fileprivate)\(set\) |@[A-Za-z]+ )*(var|let) [A-Za-z_]/
            # A brace without a value before it begins a getter.
            is_computed = words ~ /^[^=]*\{/ && words !~ /\{ *(didSet|willSet)/
            if (inside && is_property && !is_computed) {
                name = words
                sub(/^.*(var|let) /, "", name)
                sub(/[^A-Za-z0-9_].*/, "", name)
                print kind[top], type[top], name
            }
            pending_kind = ""
            if (match(words, /(^|[ )])(actor|class|struct|enum|protocol|extension) [A-Z][A-Za-z0-9_.]*/) && words !~ /^(\/\/|case |import )/) {
                declaration = substr(words, RSTART, RLENGTH)
                sub(/^[ )]/, "", declaration)
                split(declaration, parts, " ")
                pending_kind = parts[1]
                pending_type = parts[2]
            }
            for (i = 1; i <= length(line); i++) {
                c = substr(line, i, 1)
                if (c == "{") {
                    depth++
                    if (pending_kind != "") {
                        top++
                        kind[top] = pending_kind
                        type[top] = pending_type
                        at[top] = depth
                        pending_kind = ""
                    }
                } else if (c == "}") {
                    if (top > 0 && at[top] == depth) top--
                    depth--
                }
            }
        }'
}

literals() { files | xargs grep -ohE -- "$1" | wc -l; }

files | xargs wc -l | awk '$2 != "total" { print $1 }' | sort -n | awk '
    { lines[NR] = $1; sum += $1 }
    END {
        printf "%-28s %d\n", "Swift files", NR
        printf "%-28s %d\n", "lines", sum
        printf "%-28s %d\n", "lines of a file, median", lines[int((NR + 1) / 2)]
        printf "%-28s %d\n", "lines of a file, p90", lines[int(NR * 0.9 + 0.5)]
    }'

printf '\nlines without blanks and comments\n'
files | xargs awk '
    /^[ \t]*$/ || /^[ \t]*\/\// { next }
    { split(FILENAME, parts, "/"); count[parts[3]]++; sum++ }
    END {
        for (name in count) printf "  %-26s %d\n", name, count[name]
        printf "  %-26s %d\n", "together", sum
    }' | sort -k2,2nr -k1,1

found=$(files | wide_properties)
printf '\n%-28s %d\n' "wide stored properties" "$(grep -c . <<< "$found" || true)"
awk 'NF { print $1, $2 }' <<< "$found" | sort | uniq -c | sort -k1,1nr -k3,3 | head -n 15 |
    awk '{ printf "  %-26s %d\n", $3 " (" $2 ")", $1 }'

printf '\n%-28s %d\n' "literals of methods" "$(literals '"([a-z]+\.)*[A-Z][A-Za-z]+\.[A-Z][A-Za-z]+"')"
printf '%-28s %d\n' "literals of JSON keys" \
    "$(literals '\["[A-Za-z0-9]+"\]|"[A-Za-z0-9]+": *[.\[A-Za-z(]|\.(string|integer|bool|object|objects|strings|optional[A-Z][a-z]+)\("[A-Za-z0-9]+"')"
