#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the packages of `make deb` and `make tarball` without installing them: lintian, the oldest C library that the
# programs run with, links in the documents, the software bill of materials, and whether packing again gives the same
# bytes. Exits with 0 if every check succeeds.
set -euo pipefail

cd "$(dirname "$0")/../.."
# That of Debian 12.
readonly c_library=2.36
readonly packages=.build/packages
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=Tests/Tools/checks.sh
source Tests/Tools/checks.sh

# newest PREFIX FILE...: the newest version of a symbol with this prefix that the programs need.
newest() {
    local prefix=$1
    shift
    objdump -T "$@" | sed -n "s/.*[( ]${prefix}_\([0-9][0-9.]*\)).*/\1/p" | sort -Vu | tail -n 1
}

# older A B: prints "yes" if version A is at most B.
older() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" != "$2" ] || echo yes; }

dpkg-deb -x "$packages"/relativityd_*.deb "$work/tree"
dpkg-deb -x "$packages"/relativity-sample-server_*.deb "$work/tree"
dpkg-deb -x "$packages"/relativityd-sqlite_*.deb "$work/tree"
dpkg-deb -x "$packages"/python3-relativityd_*.deb "$work/python"
mkdir "$work/tar"
tar -xJf "$packages"/relativityd-*.tar.xz -C "$work/tar" --strip-components=1

check "lintian finds no error" "" \
    "$(lintian --fail-on none --tag-display-limit 0 "$packages"/*.deb 2>/dev/null | grep '^E:' || true)"
mapfile -t programs < <(find "$work/tree/usr/bin" "$work/tree/usr/libexec" -type f)
check "five programs" 5 "${#programs[@]}"
extension=$(find "$work/tree/usr/lib" -name relativity.so)
needed=$(newest GLIBC "${programs[@]}" "$extension")
check "GLIBC_$needed is in Debian 12" yes "$(older "${needed:-none}" $c_library)"
check "libstdc++ and libgcc are in the programs" "" \
    "$(objdump -p "${programs[@]}" | grep -E 'NEEDED +(libstdc|libgcc_s)' || true)"
check "the tar file has the same programs" "$(sha256sum "${programs[@]}" | cut -d ' ' -f 1 | sort)" \
    "$(cd "$work/tar/programs" && sha256sum relativityd{,-data,-secret-service} relctl relativity-sample-server \
        | cut -d ' ' -f 1 | sort)"
check "and the same extension of SQLite" "$(sha256sum <"$extension")" "$(sha256sum <"$work/tar/programs/relativity.so")"
modules=$work/python/usr/lib/python3/dist-packages
check "the Python package has the modules of the sources" "" \
    "$(diff -r -x __pycache__ python/src/relativity "$modules/relativity" 2>&1)"
check "Python knows its version and its entry point" "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' python/src/relativity/__init__.py) relativity" \
    "$(PYTHONPATH=$modules python3 -c 'from importlib.metadata import distribution
found = distribution("relativity")
print(found.version, *(each.name for each in found.entry_points))')"
check "no path of the build is in their texts" "" \
    "$(grep -rIl "$PWD" "$work/tree" "$work/python" "$work/tar" || true)"
check "links of the documents have targets" 0 \
    "$(Tests/Tools/check_links.py "$work/tree/usr/share/doc/relativityd" >"$work/links"; echo $?)"
cat "$work/links"
check "/etc is left to the administrator" no "$([ -e "$work/tree/etc" ] && echo yes || echo no)"
check "INSTALL has five lines" 5 "$(wc -l <"$work/tar/INSTALL")"
check "the bill of materials is valid, and the licences name its parts" "" \
    "$(.build/python-packages/bin/python3 Tests/Tools/check_sbom.py "$packages"/relativityd-*.cdx.json \
        THIRD-PARTY-LICENSES.md debian/copyright 2>&1)"

before=$(sha256sum "$packages"/*.deb)
scripts/package.sh deb >"$work/again" 2>&1
check "packing again gives the same bytes" "$before" "$(sha256sum "$packages"/*.deb)"

finish
