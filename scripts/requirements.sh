#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# requirements.sh VERB: ensures that Swift and the Debian packages for `make VERB` are installed. Prints nothing if
# there is nothing to do. SKIP_REQUIREMENTS=1 disables it, for systems other than Debian.
set -euo pipefail

readonly swift_needed=6.2
readonly libraries="libavahi-client-dev libdbus-1-dev libexpat1-dev libsecret-1-dev libssl-dev zlib1g-dev libsqlite3-dev libtomlplusplus-dev"
readonly build="g++ git ca-certificates pkg-config $libraries"
readonly examples="curl golang-go golang-github-varlink-go-dev nodejs node-typescript"
readonly lan="avahi-daemon avahi-utils dbus iproute2 util-linux procps"

packages_for() {
    case $1 in
        build) echo "$build" ;;
        check) echo "$build shellcheck mypy" ;;
        test) echo "$build $lan dbus-user-session gnome-keyring libsecret-tools keepassxc pinentry-curses pinentry-tty systemd strace nsd etcd-server etcd-client openssl zsh fish tmux unicode-data $examples python3 python3-venv python3-cryptography sqlite3 unixodbc libsqliteodbc valgrind mypy" ;;
        demo) echo "$build $lan python3 python3-venv" ;;
        package) echo "$build debhelper dh-python lintian python3 python3-venv xz-utils debootstrap" ;;
        package-check) echo "$build diffoscope-minimal g++-aarch64-linux-gnu" ;;
        python) echo "python3 python3-venv" ;;
        bench) echo "$build $lan python3 python3-venv python3-cryptography sqlite3" ;;
        *) fail "no list for '$1'; there are lists for build, check, test, demo, package, package-check, python and bench" ;;
    esac
}

fail() {
    echo "requirements.sh: $*" >&2
    exit 1
}

check_swift() {
    local advice="get Swift 6.3 from https://www.swift.org/install/linux/ and put its usr/bin into PATH"
    command -v swift >/dev/null || fail "Swift is missing: $advice"
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
    [ "$(printf '%s\n' "$swift_needed" "${version:-0}" | sort -V | head -n 1)" = "$swift_needed" ] \
        || fail "Swift $swift_needed or newer is needed and ${version:-an unknown version} is here: $advice"
}

missing_of() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || echo "$package"
    done
}

# Runs as root. A service in one of these packages must not start just because a user runs our tests: avahi-daemon
# would immediately announce this machine on the network. Package scripts ask only policy-rc.d whether they may start
# a service; 101 means no. An existing policy belongs to the administrator and is kept.
install_packages() {
    local policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then
        trap 'rm -f /usr/sbin/policy-rc.d' EXIT
        printf '#!/bin/sh\nexit 101\n' >$policy
        chmod 755 $policy
        case " $* " in
            *" avahi-daemon "*)
                echo "avahi-daemon stays off until the next boot. To keep it off permanently:"
                echo "  systemctl disable avahi-daemon.socket avahi-daemon.service"
                ;;
        esac
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get install --yes --no-install-recommends "$@" || {
        echo "requirements.sh: trying again with fresh package lists"
        apt-get update
        apt-get install --yes --no-install-recommends "$@"
    }
}

[ "${SKIP_REQUIREMENTS:-}" != 1 ] || exit 0
verb=${1:?name a verb of the Makefile}
if [ "$verb" = _install ]; then
    shift
    install_packages "$@"
    exit
fi

list=$(packages_for "$verb")
check_swift
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this is no Debian: install what these packages hold, then set SKIP_REQUIREMENTS=1: $list"
fi
read -r -a wanted <<<"$list"
mapfile -t missing < <(missing_of "${wanted[@]}")
[ ${#missing[@]} -gt 0 ] || exit 0

echo "make $verb needs these Debian packages: ${missing[*]}"
if [ "$(id -u)" = 0 ]; then
    echo "Installing them by apt-get."
    "$0" _install "${missing[@]}"
elif command -v sudo >/dev/null; then
    echo "Installing them by apt-get through sudo, which may ask for your password."
    sudo "$0" _install "${missing[@]}"
else
    fail "neither root nor sudo: run 'apt-get install ${missing[*]}' as root"
fi
