#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A real `systemd --user` manager for tests, on a machine that need not run systemd. Needs root.
#
#   user-manager.sh start         start the manager of user "tester" with an empty home directory
#   user-manager.sh exec CMD...   run CMD as that user; `systemctl --user` works there
#   user-manager.sh root CMD...   run CMD as root in the same namespaces
#   user-manager.sh home          print the path of that user's home directory as seen from outside
#   user-manager.sh log           print what the manager and its services wrote
#   user-manager.sh stop          end the manager and everything in it
#
# USER_MANAGER_DIR holds the state (required: one directory per manager). The manager shares the network of the caller;
# start this script inside a network namespace if that matters.
set -euo pipefail

readonly uid=1234
readonly runtime=/run/user/$uid
script=$(readlink -f "$0")
readonly script
readonly state=${USER_MANAGER_DIR:?name a directory for the state}

die() {
    echo "user-manager.sh: $*" >&2
    exit 1
}

# The first process of the namespaces, as seen from outside.
init_pid() {
    cat "$state/init.pid" 2>/dev/null || die "no manager in $state"
}

enter() {
    local pid
    pid=$(init_pid)
    nsenter --target "$pid" --mount --net --pid --uts --ipc --cgroup -- "$@"
}

as_user() {
    enter setpriv --reuid $uid --regid $uid --init-groups env --ignore-environment \
        PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/tester USER=tester LANG=C.UTF-8 \
        XDG_RUNTIME_DIR=$runtime DBUS_SESSION_BUS_ADDRESS=unix:path=$runtime/bus "$@"
}

# Directory of the cgroup v2 hierarchy, which is one level deeper in a hybrid set-up.
cgroup_root() {
    if [ -d /sys/fs/cgroup/unified ]; then echo /sys/fs/cgroup/unified; else echo /sys/fs/cgroup; fi
}

# The child of process $1 that is the first process of a pid namespace. Right after a fork there may be other children.
first_process_below() {
    local child
    for child in $(pgrep -P "$1"); do
        [ "$(awk '/^NSpid:/ { print NF, $NF }' "/proc/$child/status" 2>/dev/null)" != "3 1" ] || {
            echo "$child"
            return 0
        }
    done
    return 1
}

start() {
    [ "$(id -u)" = 0 ] || die "needs root"
    [ ! -e "$state/init.pid" ] || die "already started in $state"
    mkdir -p "$state/home"
    chmod 755 "$state"
    chown $uid:$uid "$state/home"

    local group
    group=$(cgroup_root)/relativityd-test-$$
    mkdir "$group"
    echo "$group" >"$state/cgroup"

    # The shell joins the new cgroup before it makes a cgroup namespace: the namespace's root is then that cgroup.
    # shellcheck disable=SC2016 # the inner shell expands these
    TEST_CGROUP=$group OUTER_CGROUP_NS=$(readlink /proc/self/ns/cgroup) setsid bash -c '
        echo $$ >"$TEST_CGROUP/cgroup.procs" || exit 1
        exec unshare --mount --cgroup --pid --uts --ipc --fork --kill-child --mount-proc bash "$0" _init
    ' "$script" </dev/null >"$state/init.log" 2>&1 &
    local outer=$!

    local _ pid=""
    for _ in $(seq 250); do
        pid=$(first_process_below $outer) && break
        sleep .02
    done
    [ -n "$pid" ] || die "the namespaces did not start: $(cat "$state/init.log")"
    echo "$pid" >"$state/init.pid"
    for _ in $(seq 200); do
        case $(as_user systemctl --user is-system-running 2>/dev/null || true) in
            running | degraded) return 0 ;;
        esac
        sleep .05
    done
    cat "$state/init.log" "$state/console.log" >&2
    stop
    die "the manager did not come up"
}

# systemd moves every process in the root of its cgroup tree into a separate scope. If that root were the machine's, it
# would move all processes of the machine. So continue only if both the cgroup and its namespace belong to this script.
guard() {
    [ $$ = 1 ] || die "guard: not the first process of a pid namespace"
    [ "$(readlink /proc/self/ns/cgroup)" != "${OUTER_CGROUP_NS:?}" ] || die "guard: no cgroup namespace of our own"
    grep -qx '0::/' /proc/self/cgroup || die "guard: not at the root of the cgroup namespace"
    case ${TEST_CGROUP:?} in
        */relativityd-test-*) grep -q . "$TEST_CGROUP/cgroup.procs" || die "guard: our cgroup is empty" ;;
        *) die "guard: not a cgroup of this script" ;;
    esac
}

init() {
    guard
    mount --make-rprivate /

    mount -t tmpfs -o mode=755 tmpfs /run
    # systemd checks for the first directory to determine whether it may run, builds every sandbox in the second, and
    # hides the third, which system services make, in the sandbox of a unit with a credential.
    mkdir -p /run/systemd/system /run/systemd/unit-root /run/credentials $runtime
    chown $uid:$uid $runtime
    chmod 700 $runtime
    # The host's system bus must not be reachable from here. The private /run ensures that.

    : >"$state/console.log"
    chmod 666 "$state/console.log"
    mount --bind "$state/console.log" /dev/console

    umount -R /sys/fs/cgroup
    mount -t cgroup2 none /sys/fs/cgroup
    local mine=/sys/fs/cgroup/user@$uid
    mkdir /sys/fs/cgroup/init "$mine"
    echo $$ >/sys/fs/cgroup/init/cgroup.procs
    chown $uid:$uid "$mine" "$mine"/cgroup.{procs,subtree_control,threads}

    mount -t tmpfs -o mode=755 tmpfs /home
    mkdir /home/tester
    mount --bind "$state/home" /home/tester
    # The directories that PrivateTmp= makes go with the namespace.
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    account /etc/passwd "tester:x:$uid:$uid::/home/tester:/bin/bash"
    account /etc/group "tester:x:$uid:"

    (
        echo "$BASHPID" >"$mine/cgroup.procs"
        cd /
        exec setpriv --reuid $uid --regid $uid --init-groups --reset-env \
            env XDG_RUNTIME_DIR=$runtime HOME=/home/tester DBUS_SESSION_BUS_ADDRESS=unix:path=$runtime/bus \
            /lib/systemd/systemd --user --log-target=console
    ) &
    trap 'exit 0' TERM
    while :; do
        sleep infinity &
        wait $! || true
    done
}

# Adds line $2 to a private view of file $1.
account() {
    local copy
    copy=/run/$(basename "$1")
    cp "$1" "$copy"
    echo "$2" >>"$copy"
    mount --bind "$copy" "$1"
}

stop() {
    local pid group _
    pid=$(init_pid)
    # When the first process of a pid namespace exits, the kernel ends all others.
    kill -KILL "$pid" 2>/dev/null || true
    rm -f "$state/init.pid"
    group=$(cat "$state/cgroup")
    for _ in $(seq 100); do
        find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
        [ -d "$group" ] || return 0
        sleep .05
    done
    die "cgroup $group is still in use"
}

case "${1:-}" in
    start) start ;;
    _init) init ;;
    exec) shift && as_user "$@" ;;
    root) shift && enter "$@" ;;
    home) echo "$state/home" ;;
    log) cat "$state/console.log" ;;
    stop) stop ;;
    *)
        sed -n '3,/^set /{/^#/s/^# \{0,1\}//p}' "$script"
        exit 64
        ;;
esac
