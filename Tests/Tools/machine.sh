#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A machine for tests: systemd as PID 1, with journald, logind and a system bus, in namespaces and a cgroup of its own,
# on a copy of a file system that is not changed. Needs root and cgroup v2.
#
#   machine.sh start [ROOT]   boot from ROOT (default /, this machine's own file system)
#   machine.sh root CMD...    run CMD as root
#   machine.sh user CMD...    run CMD as the user "tester" (1234), whose manager runs without a login
#   machine.sh place          print the path of the machine's file system as seen from outside
#   machine.sh stop           end it and everything in it
#
# MACHINE_DIR holds the state (required: one directory per machine). The machine has no network but loopback.
set -euo pipefail

self=$(readlink -f "$0")
state=${MACHINE_DIR:?}
cgroups=/sys/fs/cgroup/unified
[ -d $cgroups ] || cgroups=/sys/fs/cgroup

inside() { nsenter --target "$(<"$state/pid")" --mount --net --pid --uts --ipc --cgroup --root --wd -- "$@"; }
environment=(env -i TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)

# Becomes PID 1. systemd would end each process of a cgroup that it shares with others, so it starts in its own only.
boot() {
    if [ $$ != 1 ] || [ "$(readlink /proc/self/ns/cgroup)" = "$OUTER_CGROUPS" ] || ! grep -q '^0::/$' /proc/self/cgroup; then
        echo "machine.sh: not in namespaces of its own" >&2
        exit 1
    fi
    mount --make-rprivate /
    local over=$state/over root=$state/over/root name
    mkdir -p "$over"
    mount -t tmpfs tmpfs "$over"
    mkdir "$over"/{upper,work,root}
    mount -t overlay overlay -o "lowerdir=$1,upperdir=$over/upper,workdir=$over/work" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t cgroup2 none "$root/sys/fs/cgroup" || {
        mount -t tmpfs tmpfs "$root/sys/fs"
        mkdir "$root/sys/fs/cgroup"
        mount -t cgroup2 none "$root/sys/fs/cgroup"
    }
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for name in null zero full random urandom tty; do
        touch "$root/dev/$name"
        mount --bind "/dev/$name" "$root/dev/$name"
    done
    mkdir "$root"/dev/{pts,shm}
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    touch "$root/dev/console"
    mount --bind "$state/console" "$root/dev/console"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    for name in systemd-{networkd,udevd,resolved,timesyncd}.service getty.target apt-daily{,-upgrade}.timer \
        docker.service ssh.service postgresql.service avahi-daemon.{service,socket}; do
        ln -sfn /dev/null "$root/etc/systemd/system/$name"
    done
    grep -q '^tester:' "$root/etc/passwd" || {
        echo 'tester:x:1234:1234::/home/tester:/bin/bash' >>"$root/etc/passwd"
        echo 'tester:x:1234:' >>"$root/etc/group"
        echo 'tester:*:19000:0:99999:7:::' >>"$root/etc/shadow"
    }
    rm -rf "$root/home/tester"
    install -d -o 1234 -g 1234 -m 755 "$root/home/tester"
    mkdir -p "$root/var/lib/systemd/linger"
    touch "$root/var/lib/systemd/linger/tester"
    [ -s "$root/etc/machine-id" ] || echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
    ip link set lo up
    hostname machine
    mkdir -p "$root/mnt"
    cd "$root"
    pivot_root . mnt
    umount -l /mnt
    exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --log-target=console \
        --show-status=no --unit=multi-user.target
}

case "${1:-}" in
    start)
        mkdir -p "$state"
        : >"$state/console"
        group=$cgroups/relativityd-machine-$$
        mkdir "$group"
        echo "$group" >"$state/cgroup"
        OUTER_CGROUPS=$(readlink /proc/self/ns/cgroup)
        export OUTER_CGROUPS
        # shellcheck disable=SC2016
        setsid bash -c 'echo $$ >"$0/cgroup.procs" && exec unshare --mount --cgroup --pid --uts --ipc --net --fork \
            --kill-child --mount-proc "$1" _boot "$2"' "$group" "$self" "${2:-/}" </dev/null >"$state/log" 2>&1 &
        for _ in $(seq 100); do
            pgrep -P $! >"$state/pid" && break
            sleep .05
        done
        for _ in $(seq 300); do
            case $(inside "${environment[@]}" systemctl is-system-running 2>/dev/null) in
                running | degraded) exit 0 ;;
            esac
            sleep .1
        done
        echo "machine.sh: it did not start" >&2
        tail -n 20 "$state/log" "$state/console" >&2
        exit 1
        ;;
    _boot) boot "$2" ;;
    root)
        shift
        inside "${environment[@]}" "$@"
        ;;
    user)
        shift
        inside setpriv --reuid 1234 --regid 1234 --init-groups "${environment[@]}" HOME=/home/tester USER=tester \
            XDG_RUNTIME_DIR=/run/user/1234 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1234/bus "$@"
        ;;
    place) echo "/proc/$(<"$state/pid")/root" ;;
    stop)
        [ ! -s "$state/pid" ] || kill -KILL "$(<"$state/pid")" 2>/dev/null || true
        group=$(<"$state/cgroup")
        for _ in $(seq 50); do
            find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
            [ -d "$group" ] || break
            sleep .1
        done
        ;;
    *)
        sed -n '6,12s/^# \{0,1\}//p' "$self" >&2
        exit 64
        ;;
esac
