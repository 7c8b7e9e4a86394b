#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# check-package-install.sh RELEASE: installs the packages of `make deb` on a new Debian RELEASE, such as bookworm or
# trixie, uses them as a user on a machine with systemd, upgrades them from the previous version, removes and purges
# them; and does the same with the tar file. PREVIOUS_PACKAGES names the directory with the packages of the previous
# version; without it they are made from today's, with a lower version and another program file. Needs root, namespaces,
# and a mirror of Debian. Exits with 0 if every check succeeds.
set -euo pipefail

cd "$(dirname "$0")/../.."
release=${1:?name a release of Debian}
packages=$PWD/.build/packages
base=$PWD/.build/roots/$release
work=$(mktemp -d)
export MACHINE_DIR=$work/machine
# shellcheck source=Tests/Tools/checks.sh
source Tests/Tools/checks.sh

cleanup() {
    local status=$?
    if [ $status != 0 ] && [ -e "$work/apt.log" ]; then tail -n 30 "$work/apt.log" >&2; fi
    Tests/Tools/machine.sh stop 2>/dev/null || true
    umount "$work/root" 2>/dev/null || true
    rm -rf "$work"
    exit $status
}
trap cleanup EXIT

machine() { timeout 60 Tests/Tools/machine.sh "$@"; }
user() { machine user "$@"; }
control() { user timeout 20 systemctl --user "$@"; }
property() { control show --value --property "$1" relativityd.service; }
apt() { machine root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Dpkg::Use-Pty=0 "$@" >>"$work/apt.log" 2>&1; }
# The files of the machine, without those that any installation of packages changes.
listing() {
    machine root find /etc /usr /var /home -xdev \( -path /var/cache -o -path /var/log -o -path /var/lib/dpkg \
        -o -path /var/lib/apt -o -path /var/lib/systemd -o -path /usr/share/mime \) -prune -o -printf '%p %y\n' | sort
}

# The mirror of this machine. A root is made again if the packages have other dependencies.
dependencies=$(for package in "$packages"/*.deb; do dpkg-deb -f "$package" Depends; done)
if [ "$dependencies" != "$(cat "$base/installed" 2>/dev/null)" ]; then
    # shellcheck disable=SC2016
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' | head -n 1)
    rm -rf "$base"
    mkdir -p "$(dirname "$base")"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,libpam-systemd,dbus,dbus-user-session,man-db,procps \
        "$release" "$base" "$mirror" >"$work/debootstrap.log" || { tail -n 5 "$work/debootstrap.log"; exit 1; }
    # The machine has no network, so what the packages depend on is put into a repository in it.
    mkdir "$base/packages"
    cp "$packages"/*.deb "$base/packages"
    printf '#!/bin/sh\nexit 101\n' >"$base/usr/sbin/policy-rc.d"
    chmod 755 "$base/usr/sbin/policy-rc.d"
    chroot "$base" sh -c 'apt-get -qq update && apt-get -qq -y --download-only --no-install-recommends install /packages/*.deb' \
        >"$work/debootstrap.log" 2>&1 || { tail -n 5 "$work/debootstrap.log"; exit 1; }
    rm -r "$base/packages" "$base/usr/sbin/policy-rc.d"
    echo "$dependencies" >"$base/installed"
fi
machine start "$base"
place=$(machine place)
mkdir "$place/packages" "$place/previous"
for package in relativityd relativity-sample-server relativityd-sqlite python3-relativityd; do
    cp "$packages/${package}"_*.deb "$place/packages/$package.deb"
done

# The previous version. Its daemon is another file, as it would be.
if [ -n "${PREVIOUS_PACKAGES:-}" ]; then
    for package in relativityd relativity-sample-server; do
        cp "$PREVIOUS_PACKAGES/${package}"_*.deb "$place/previous/$package.deb"
    done
else
    for package in relativityd relativity-sample-server; do
        dpkg-deb -R "$packages/${package}"_*.deb "$work/$package"
        sed -i 's/^Version: .*/Version: 0.2.0~previous/' "$work/$package/DEBIAN/control"
        [ $package != relativityd ] || printf '\0' >>"$work/$package/usr/bin/relativityd"
        dpkg-deb -Znone --root-owner-group -b "$work/$package" "$place/previous/$package.deb" >/dev/null
    done
fi

before=$(listing)
check "the previous version is installed" 0 \
    "$(apt --no-install-recommends install /previous/relativityd.deb /previous/relativity-sample-server.deb; echo $?)"
check "the socket is enabled for all users" enabled "$(machine root systemctl --global is-enabled relativityd.socket || true)"
check "the timer is not" disabled "$(machine root systemctl --global is-enabled relativityd-refresh.timer || true)"
check "the socket of a user who is logged in listens" active "$(control is-active relativityd.socket || true)"
check "relctl works, and starts the daemon" 0 "$(user relctl status >"$work/status" 2>&1; echo $?)"
check "a manual page is there" 0 "$(user man -w relctl >/dev/null 2>&1; echo $?)"

user sh -c 'relativity-sample-server </dev/null >/home/tester/server.log 2>&1 &'
await "the sample server listens" 1 grep -c '^listening on 127.0.0.1:7099' "$place/home/tester/server.log"
user relctl add sample 127.0.0.1 >/dev/null 2>&1 || true
pin=$(user relctl show sample | sed -n 's/^fingerprint: *//p')
printf 'correct horse battery\n' | user relctl vault init --passphrase-stdin >"$work/vault" 2>&1 || true
check "a vault is made, without the recommended packages" 1 "$(grep -c '^vault: *unlocked' "$work/vault")"
printf 'simple\n' | user relctl login add sample --user simple --domain DASamples --schema Simple --password-stdin \
    --allow-plaintext --pin "$pin" >"$work/login" 2>&1 || true
check "the daemon logs in" 1 "$(grep -c '^added  *simple@sample' "$work/login")"
socket=$(user relctl adapter open sample | sed -n 's/^socket: *//p')
check "a table is read" 0 "$(user relctl table get sample Deps --limit 1 >"$work/table" 2>&1; echo $?)"

check "a table is kept" 0 "$(user relctl briefcase keep sample Deps >"$work/keep" 2>&1; echo $?)"
# Changes that version 0.2.0 has written.
install -o "$(stat -c %u "$place/home/tester")" -m 600 Tests/Releases/0.2.0/work/changes.pending "$place/home/tester"
user relctl table insert sample Deps DepName=Lost --pending /home/tester/unknown.pending >/dev/null
# The insertion of the row takes some seconds, so that no reply comes in time.
user pkill relativity-samp
await "the sample server ends" "" user pgrep relativity-samp
database=$(find "$place/home/tester" -name sample.sqlite)
cp "$database" "$work/sample.sqlite"
python3 - "$work/sample.sqlite" <<'END'
import sqlite3, sys
sqlite3.connect(sys.argv[1], isolation_level=None).execute("""
    create trigger slow after insert on Deps when new.DepName = 'Lost' begin
        select count(*) from (with recursive n (x) as (select 1 union all select x + 1 from n where x < 20000000) select x from n);
    end""")
END
cat "$work/sample.sqlite" >"$database"
user sh -c 'relativity-sample-server </dev/null >/home/tester/server.log 2>&1 &'
await "and listens again" 1 grep -c '^listening on 127.0.0.1:7099' "$place/home/tester/server.log"
# Version 0.2.0 ends with 1.
check "the outcome of a change whose reply is late is unknown" 18 \
    "$(user relctl table apply sample --pending /home/tester/unknown.pending --timeout 1 >"$work/apply" 2>&1
    status=$?; [ $status != 1 ] || status=18; echo $status)"
lost() { user relctl table get sample Deps --format csv | grep -c ',Lost,'; }
await "the server makes it" 1 lost
stored() {
    user relctl table pending list /home/tester/changes.pending --json
    user relctl table pending list /home/tester/unknown.pending --json
    user relctl briefcase list --kept --json | sed 's/"ageSeconds":[0-9]*//'
    user relctl login list --json | grep -o '"name":"[^"]*"'
    cksum <"$place/home/tester/changes.pending"
    cksum <"$place/home/tester/unknown.pending"
}
stored=$(stored)
check "changes are pending" 1 "$(grep -c '"DepName","new":"Pending"' <<<"$stored")"
check "one with an unknown outcome" 1 "$(grep -c '"DepName","new":"Lost"' <<<"$stored")"
echo "from $(user relctl --version | head -n 1)"

running=$(property MainPID)
check "the upgrade succeeds" 0 \
    "$(apt --no-install-recommends install /packages/relativityd.deb /packages/relativity-sample-server.deb; echo $?)"
check "it has not restarted the daemon" "$running" "$(property MainPID)"
check "the adapter is still open" 1 "$(user relctl adapter list --json | grep -c "$socket")"
await "the user's manager knows the new units" no property NeedDaemonReload
check "relctl status tells that the daemon is older than the installed one" 1 \
    "$(user relctl status 2>&1 | grep -c 'systemctl --user restart relativityd.service')"
control restart relativityd.service
check "after a restart it does not" 0 "$(user relctl status 2>&1 | grep -c 'systemctl --user restart' || true)"
check "what was added is still there" 1 "$(user relctl list | grep -c '^sample ')"
printf 'correct horse battery\n' | user relctl vault unlock --passphrase-stdin >/dev/null 2>&1 || true
check "so is the login" 0 "$(user relctl table get sample Deps --limit 1 >"$work/table" 2>&1; echo $?)"
check "and all that was stored" "$stored" "$(stored)"
echo "to $(user relctl --version | head -n 1)"

if [ -n "${PREVIOUS_PACKAGES:-}" ]; then
    vault=$place/home/tester/.local/share/relativityd/vault.rcv
    # Another address of a server makes the vault one of format 2.0.
    user sh -c 'relativity-sample-server --port 7098 --data-dir /home/tester/alternate </dev/null >/home/tester/alternate.log 2>&1 &'
    await "another sample server listens" 1 grep -c '^listening on 127.0.0.1:7098' "$place/home/tester/alternate.log"
    user relctl add alternate http://127.0.0.1:7098 >/dev/null 2>&1 || true
    pin=$(user relctl show alternate | sed -n 's/^fingerprint: *//p')
    user relctl endpoint remove alternate --yes >/dev/null
    check "a server has another address" 0 "$(user relctl endpoint set sample --alternate http://127.0.0.1:7098 --pin "$pin" \
        --allow-plaintext >"$work/alternate" 2>&1; echo $?)"
    sum=$(cksum <"$vault")
    check "the previous version is installed again" 0 \
        "$(apt --allow-downgrades --no-install-recommends install /previous/relativityd.deb; echo $?)"
    control restart relativityd.service
    check "it does not open the vault" 0 \
        "$(printf 'correct horse battery\n' | user relctl vault unlock --passphrase-stdin 2>&1 | grep -c '^vault: *unlocked')"
    check "and has not changed it" "$sum" "$(cksum <"$vault")"
    check "the new version again" 0 "$(apt --no-install-recommends install /packages/relativityd.deb; echo $?)"
    control restart relativityd.service
    printf 'correct horse battery\n' | user relctl vault unlock --passphrase-stdin >/dev/null 2>&1 || true
    check "opens it" "$stored" "$(stored)"
fi

check "the extension of SQLite is installed" 0 "$(apt --no-install-recommends install /packages/relativityd-sqlite.deb; echo $?)"
check "in a directory of libraries" 1 "$(find "$place/usr/lib" -name relativity.so | wc -l)"

check "the Python package is installed" 0 "$(apt --no-install-recommends install /packages/python3-relativityd.deb; echo $?)"
check "without the libraries that are optional" "" \
    "$(find "$place/usr/lib/python3/dist-packages" -maxdepth 1 -name 'pandas' -o -name 'numpy' -o -name 'pyarrow' -o -name 'polars')"
check "it is compiled" yes "$([ -e "$place"/usr/lib/python3/dist-packages/relativity/__pycache__ ] && echo yes)"
check "it reads a table" 1 \
    "$(user python3 -c 'import relativity; print(len(relativity.open("sample").table("Deps", limit=1).rows()))' 2>&1)"

machine root systemctl --global --quiet disable relativityd.socket
apt reinstall /packages/relativityd.deb
check "what the administrator disabled stays disabled" disabled \
    "$(machine root systemctl --global is-enabled relativityd.socket || true)"

user pkill relativity-samp || true
vault=$place/home/tester/.local/share/relativityd/vault.rcv
check "removal succeeds" 0 "$(apt remove relativityd relativity-sample-server; echo $?)"
await "and ends the daemon" "" user pgrep relativityd
check "the vault of the user stays" yes "$([ -e "$vault" ] && echo yes)"
apt --no-install-recommends install /packages/relativityd.deb
check "a new installation finds what was disabled" "disabled enabled" \
    "$(machine root systemctl --global is-enabled relativityd{,-data}.socket | paste -sd ' ')"
machine root systemctl --global --quiet enable relativityd.socket
apt remove relativityd
apt --no-install-recommends install /packages/relativityd.deb
check "and what was enabled" "enabled enabled" \
    "$(machine root systemctl --global is-enabled relativityd{,-data}.socket | paste -sd ' ')"
apt purge relativityd relativity-sample-server relativityd-sqlite python3-relativityd
apt autoremove --purge
rm -rf "$place/home/tester/".[a-z]* "$place/home/tester"/*
check "a purge leaves nothing" "" "$(diff <(echo "$before") <(listing) | grep '^[<>]' || true)"

mkdir -p "$place/etc/systemd/user-preset"
echo 'disable relativityd*' >"$place/etc/systemd/user-preset/20-relativityd.preset"
apt --no-install-recommends install /packages/relativityd.deb
check "a preset of the administrator keeps the socket off" disabled \
    "$(machine root systemctl --global is-enabled relativityd.socket || true)"
apt purge relativityd

# The libraries stay: those that INSTALL names.
xz -dc "$packages"/relativityd-*.tar.xz | machine root tar -xf - -C /home/tester
machine root chown -R tester:tester /home/tester
check "the tar file is installed for a user, without Swift" 0 \
    "$(user sh -c 'cd /home/tester/relativityd-* && scripts/install.sh user' >"$work/tar.log" 2>&1; echo $?)"
control enable --quiet --now relativityd.socket
check "its relctl works, and starts its daemon" 1 \
    "$(user /home/tester/.local/bin/relctl status 2>&1 | grep -c '^daemon: *relativityd ')"
check "which is the installed one" 1 \
    "$(machine root readlink "/proc/$(property MainPID)/exe" | grep -c '^/home/tester/.local/bin/relativityd$')"
user sh -c 'cd /home/tester/relativityd-* && scripts/uninstall.sh' >/dev/null
check "and removed" no "$([ -e "$place/home/tester/.local/bin/relctl" ] && echo yes || echo no)"

finish
