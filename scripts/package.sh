#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# package.sh deb       makes the Debian packages of the release programs
# package.sh tarball   makes a tar file of them, for any distribution with the C library of Debian 12 or a newer one
#
# Both are written to .build/packages, with the software bill of materials. The same programs and the same commit give the
# same bytes: the only time in them is that of debian/changelog.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly packages=.build/packages
export PROGRAMS_DIR=$PWD/.build/stripped
programs=(relativityd relctl relativityd-data relativityd-secret-service relativity-sample-server)
readonly programs

version=$(sed -n 's/.*text = "\(.*\)"/\1/p' Sources/Base/Platform/Versions/ProjectVersion.swift)
packaged=$(dpkg-parsechangelog -S Version)
[ "${packaged%-*}" = "$version" ] || {
    echo "package.sh: debian/changelog and ProjectVersion.swift ($version) name different versions" >&2
    exit 1
}
SOURCE_DATE_EPOCH=$(dpkg-parsechangelog -S Timestamp)
export SOURCE_DATE_EPOCH
umask 022
mkdir -p "$packages"
scripts/sbom.py "$PROGRAMS_DIR/relativityd.cdx.json" "${programs[@]/#/$PROGRAMS_DIR/}"

case "${1:-}" in
    deb)
        rm -f "$packages"/*.deb
        debian/rules clean
        PACKAGES_DIR=$packages debian/rules binary
        debian/rules clean
        ;;
    tarball)
        name=relativityd-$version-linux-$(uname -m)
        work=$(mktemp -d)
        trap 'rm -rf "$work"' EXIT
        mkdir -p "$work/$name/programs" "$work/$name/scripts"
        cp "${programs[@]/#/$PROGRAMS_DIR/}" "$PROGRAMS_DIR"/relctl.{bash,zsh,fish} "$PROGRAMS_DIR"/relativity{.so,d.cdx.json} \
            "$work/$name/programs"
        cp scripts/{install,uninstall}.sh "$work/$name/scripts"
        git ls-files -z README.md CHANGELOG.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md LICENSE \
            THIRD-PARTY-LICENSES.md docs config man systemd | tar -c --null -T - | tar -x -C "$work/$name"
        cp scripts/INSTALL "$work/$name/INSTALL"
        tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+rwX,go+rX,go-w \
            --mtime="@$SOURCE_DATE_EPOCH" -c "$name" | xz -T2 >"$packages/$name.tar.xz.new"
        mv "$packages/$name.tar.xz.new" "$packages/$name.tar.xz"
        ;;
    *)
        sed -n '4,5s/^# //p' "$0" >&2
        exit 64
        ;;
esac
cp "$PROGRAMS_DIR/relativityd.cdx.json" "$packages/relativityd-$version.cdx.json"
ls -l "$packages"
