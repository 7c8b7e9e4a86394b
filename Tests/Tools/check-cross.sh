#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Compiles the parts in C and C++ for aarch64: those of this project, the headers of the system that it imports, the
# example in C, parts of SwiftNIO and of BoringSSL. Parts in Swift are not tried: the toolchain for Debian has no standard
# library for aarch64. Exits with 0 if every check succeeds.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=Tests/Tools/checks.sh
source Tests/Tools/checks.sh

# Headers of these libraries do not depend on the architecture. Those of the C library must come from the cross compiler,
# so /usr/include itself is not searched.
read -r -a libraries <<<"$(pkg-config --cflags avahi-client dbus-1 libsecret-1 libcrypto zlib expat sqlite3)"
mkdir -p "$work/headers/openssl"
ln -s /usr/include/{avahi-client,avahi-common,zlib.h,zconf.h,expat.h,expat_external.h,sqlite3.h,toml++} "$work/headers"
ln -s /usr/include/openssl/*.h /usr/include/x86_64-linux-gnu/openssl/*.h "$work/headers/openssl"
ln -s /usr/include/x86_64-linux-gnu/expat_config.h "$work/headers"

# compile DESCRIPTION COMPILER ARGUMENT...: the output file must be for aarch64.
compile() {
    local description=$1 compiler=$2
    shift 2
    "$compiler" --target=aarch64-linux-gnu -c -O2 -D_GNU_SOURCE -I "$work/headers" "${libraries[@]}" "$@" -o "$work/object.o" >"$work/log" 2>&1 || true
    check "$description" AArch64 "$(readelf -h "$work/object.o" 2>/dev/null | sed -n 's/^ *Machine: *//p')"
    [ -e "$work/object.o" ] || head -n 5 "$work/log"
    rm -f "$work/object.o"
}

for file in Sources/System/CLinux/*.c docs/examples/call.c; do
    compile "$file" clang -I Sources/System/CLinux/include "$file"
done
compile Sources/System/CTOML/CTOML.cpp clang++ -std=c++20 -I Sources/System/CTOML/include Sources/System/CTOML/CTOML.cpp
for module in Sources/System/*/shim.h; do
    compile "$module" clang -x c "$module"
done
nio=.build/checkouts/swift-nio/Sources
for file in "$nio"/CNIOLinux/*.c "$nio"/CNIOLLHTTP/*.c "$nio"/CNIOAtomics/src/*.c "$nio"/CNIOPosix/*.c; do
    compile "${file#.build/checkouts/}" clang -I "$(dirname "$file")/include" -I "$(dirname "$file")/../include" "$file"
done
boring=.build/checkouts/swift-nio-ssl/Sources/CNIOBoringSSL
for file in crypto/cipher/e_aesctrhmac.cc crypto/fipsmodule/bcm.cc crypto/chacha/chacha.cc ssl/ssl_lib.cc; do
    compile "swift-nio-ssl/$file" clang++ -std=c++17 -I "$boring/include" -I "$boring" "$boring/$file"
done

finish
