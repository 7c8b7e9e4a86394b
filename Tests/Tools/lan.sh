#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A private LAN for tests: hosts made of Linux namespaces, each with its own /run, system bus and avahi-daemon, on one
# bridge. No packet leaves it. Needs iproute2, dbus-daemon, avahi-daemon and root, which may be that of a user namespace
# (`unshare --user --map-root-user --mount --net`); no systemd.
#
#   lan.sh up N                    hosts 1 to N, named h1 to hN, addresses 10.77.0.1 to 10.77.0.N and IPv6 link-local
#   lan.sh up lo                   one host without a bridge, Avahi on its loopback interface
#   lan.sh exec HOST COMMAND...    runs a command there, in the foreground
#   lan.sh bg HOST NAME COMMAND... runs a command there, in the background
#   lan.sh sig HOST NAME SIGNAL    sends a signal to a program that `bg` started
#   lan.sh log HOST NAME           prints its output; `avahi` and `dbus` are names too
#   lan.sh avahi HOST start|TERM|KILL|STOP|CONT
#   lan.sh dbus HOST start|TERM|KILL
#   lan.sh dbus HOST deny|allow    sets whether the bus denies all access to Avahi
#   lan.sh link HOST up|down       the bridge's side of the cable
#   lan.sh down                    ends all of it
#
# LAN_DIR is the directory of the LAN's state. Several LANs with separate directories may run simultaneously.
# LAN_BARE="2 3" lists hosts without avahi-daemon, LAN_NO_BUS="3" those without a system bus either.
# LAN_AVAHI="key=value ..." adds to [server] in avahi-daemon.conf.
set -euo pipefail

: "${LAN_DIR:?names the directory of this LAN}"
self=$(readlink -f "$0")

fail() {
    echo "lan.sh: $*" >&2
    exit 1
}

# Polls a condition for ten seconds.
await() {
    local tries=500
    until "$@" 2>/dev/null; do
        ((tries -= 1)) || return 1
        sleep 0.02
    done
}

# The start time of a process, in clock ticks since boot. Together with its ID it identifies one process permanently.
started() {
    local stat fields
    stat=$(<"/proc/$1/stat") || return 1
    # The name of the program, which may contain any characters, ends with the last parenthesis.
    read -ra fields <<<"${stat##*) }"
    echo "${fields[19]}"
}

remember() { # FILE PID
    echo "$2 $(started "$2")" >"$1.new"
    mv "$1.new" "$1"
}

# Prints the stored ID, if it is still that of the same process.
recall() { # FILE
    local pid start
    read -r pid start 2>/dev/null <"$1" || return 1
    [[ $(started "$pid" 2>/dev/null) == "$start" ]] || return 1
    echo "$pid"
}

# The process has exited, though it may still be a zombie.
is_gone() { # PID
    [[ ! -e /proc/$1 || $(<"/proc/$1/stat") == *") Z "* ]]
}

within() { # HOST COMMAND...
    local pid
    pid=$(recall "$LAN_DIR/$1/init") || fail "host $1 is not up"
    shift
    nsenter --target "$pid" --net --mount --uts --ipc --pid --root --wd=/ -- "$@"
}

listed() { # WORD LIST
    [[ " $2 " == *" $1 "* ]]
}

# A user namespace that was not made by root has no other user that daemons could switch to.
has_one_user() {
    grep -qx ' *0 *[0-9]* *1' /proc/self/uid_map
}

configure() { # HOST INTERFACE
    {
        printf '[server]\nhost-name=h%s\nallow-interfaces=%s\nratelimit-burst=10000\n' "$1" "$2"
        for setting in ${LAN_AVAHI:-}; do echo "$setting"; done
        printf '[wide-area]\nenable-wide-area=no\n[publish]\npublish-hinfo=no\npublish-workstation=no\n'
    } >"$LAN_DIR/$1/avahi.conf"
}

raise_host() { # HOST
    local host=$1 directory=$LAN_DIR/$1 wrapper init
    mkdir -p "$directory"
    setsid unshare --net --mount --uts --ipc --pid --fork --kill-child --mount-proc \
        env LAN_DIR="$LAN_DIR" bash "$self" init "$host" </dev/null >"$directory/init.log" 2>&1 &
    wrapper=$!
    remember "$directory/wrapper" "$wrapper"
    await test -e "$directory/ready" || fail "host $host does not start: $(cat "$directory/init.log")"
    init=$(<"/proc/$wrapper/task/$wrapper/children")
    remember "$directory/init" "${init% }"
    listed "$host" "${LAN_NO_BUS:-}" || dbus "$host" start
}

plug_in() { # HOST
    local host=$1 bridge init
    bridge=$(recall "$LAN_DIR/bridge")
    init=$(recall "$LAN_DIR/$host/init")
    ip link add eth0 netns "$init" type veth peer name "port$host" netns "$bridge"
    nsenter --target "$bridge" --net ip link set "port$host" master bridge up
    # Without this the IPv6 address is tentative for a second.
    within "$host" sh -c 'echo 0 >/proc/sys/net/ipv6/conf/eth0/accept_dad' || true
    within "$host" ip link set eth0 up
    within "$host" ip address add "10.77.0.$host/24" dev eth0
}

up() { # COUNT
    local count=$1 host
    mkdir -p "$LAN_DIR"
    LAN_DIR=$(readlink -f "$LAN_DIR")
    [[ ! -e $LAN_DIR/1 ]] || fail "$LAN_DIR is in use"
    if [[ $count == lo ]]; then
        raise_host 1
        configure 1 lo
        avahi 1 start
        return
    fi
    setsid unshare --net env LAN_DIR="$LAN_DIR" bash "$self" bridge </dev/null >"$LAN_DIR/bridge.log" 2>&1 &
    await test -e "$LAN_DIR/bridge.ready" || fail "no bridge: $(cat "$LAN_DIR/bridge.log")"
    remember "$LAN_DIR/bridge" $!
    for ((host = 1; host <= count; host++)); do
        raise_host "$host"
        plug_in "$host"
        configure "$host" eth0
    done
    for ((host = 1; host <= count; host++)); do
        listed "$host" "${LAN_BARE:-} ${LAN_NO_BUS:-}" || avahi "$host" start
    done
}

# Runs in the namespace of the bridge, and keeps it alive. A bridge that is made there cannot remain on the machine.
bridge() {
    ip link add bridge type bridge stp_state 0 forward_delay 0 mcast_snooping 0
    ip link set bridge up
    : >"$LAN_DIR/bridge.ready"
    exec sleep infinity
}

# Runs as process 1 of a host, so that the host ends with this process.
init() { # HOST
    mount --make-rprivate /
    mount -t tmpfs -o mode=755 tmpfs /run
    mkdir -p /run/dbus /run/avahi-daemon
    ! has_one_user || become_avahi
    hostname "h$1"
    ip link set lo up
    : >"$LAN_DIR/$1/ready"
    # While bash waits, it reaps orphans.
    while :; do
        sleep infinity &
        wait $! || true
    done
}

# avahi-daemon always gives its directory to the user avahi, so it gets a private view with that user only.
become_avahi() {
    local file
    for file in passwd group; do
        sed 's/^avahi:\([^:]*\):[0-9]*:\([0-9]*\)/avahi:\1:0:\2/; s/^\(avahi:[^:]*:0\):[0-9][0-9]*/\1:0/' "/etc/$file" \
            >"/run/$file"
        mount --bind "/run/$file" "/etc/$file"
    done
}

daemon_pid() { # HOST NAME: as the host numbers it
    within "$1" cat "$2" 2>/dev/null
}

avahi_runs() { # HOST
    within "$1" busctl --system --no-pager call org.freedesktop.Avahi / org.freedesktop.Avahi.Server GetState |
        grep -q '^i 2$'
}

avahi() { # HOST start|SIGNAL
    if [[ $2 != start ]]; then
        within "$1" kill "-$2" "$(daemon_pid "$1" /run/avahi-daemon/pid)"
        return
    fi
    # A killed process leaves its PID file, and a process that is exiting still owns it.
    await no_avahi "$1" || fail "avahi-daemon of host $1 does not end"
    within "$1" rm -f /run/avahi-daemon/pid
    local flags=()
    ! has_one_user || flags=(--no-drop-root --no-chroot)
    # Process 1 of the host sends it, because nsenter would stop together with its child, and not continue with it.
    # shellcheck disable=SC2016 # expanded by the shell inside the host
    within "$1" sh -c 'avahi=$0; setsid avahi-daemon --file "$avahi.conf" --no-rlimits "$@" </dev/null >>"$avahi.log" 2>&1 &' \
        "$LAN_DIR/$1/avahi" "${flags[@]}"
    await avahi_runs "$1" || fail "avahi-daemon of host $1 does not run: $(cat "$LAN_DIR/$1/avahi.log")"
}

no_avahi() { # HOST
    ! within "$1" pgrep -x avahi-daemon >/dev/null
}

dbus() { # HOST start|deny|allow|SIGNAL
    case $2 in
    start) start_dbus "$1" ;;
    deny | allow)
        # The bus must be able to read both files after it has dropped root, and it may have no access to LAN_DIR.
        if [[ $2 == deny ]]; then
            within "$1" tee /run/dbus/policy.d/deny.conf >/dev/null <<<'<busconfig><policy context="mandatory">
                <deny send_destination="org.freedesktop.Avahi"/></policy></busconfig>'
        else
            within "$1" rm -f /run/dbus/policy.d/deny.conf
        fi
        within "$1" busctl --system --no-pager call org.freedesktop.DBus / org.freedesktop.DBus ReloadConfig
        ;;
    *) within "$1" kill "-$2" "$(daemon_pid "$1" /run/dbus/lan.pid)" ;;
    esac
}

start_dbus() { # HOST
    local edits=(-e 's,</busconfig>,<includedir>/run/dbus/policy.d</includedir>&,')
    # A relative path in the copy would differ from that in /usr/share.
    edits+=(-e 's,<includedir>system.d,<includedir>/usr/share/dbus-1/system.d,')
    ! has_one_user || edits+=(-e '/<user>/d')
    within "$1" rm -f /run/dbus/pid /run/dbus/system_bus_socket
    within "$1" mkdir -p /run/dbus/policy.d
    sed "${edits[@]}" /usr/share/dbus-1/system.conf | within "$1" tee /run/dbus/system.conf >/dev/null
    # shellcheck disable=SC2016 # expanded by the shell inside the host
    within "$1" sh -c 'dbus-daemon --config-file=/run/dbus/system.conf --fork --nopidfile --print-pid=3 3>/run/dbus/lan.pid >>"$0" 2>&1' \
        "$LAN_DIR/$1/dbus.log" </dev/null
}

background() { # HOST NAME COMMAND...
    local host=$1 name=$2
    shift 2
    # shellcheck disable=SC2016 # expanded by the shell inside the host, where numbers are the host's
    within "$host" sh -c 'name=$0; setsid "$@" </dev/null >"$name.log" 2>&1 & echo $! >"$name.pid"' \
        "$LAN_DIR/$host/$name" "$@"
}

down() {
    local file pid ending=()
    # When process 1 of a host exits, the kernel ends all processes of the host.
    for file in "$LAN_DIR"/*/init "$LAN_DIR"/*/wrapper "$LAN_DIR"/bridge; do
        if pid=$(recall "$file"); then
            kill -KILL "$pid" && ending+=("$pid")
        fi
    done
    for pid in "${ending[@]}"; do
        await is_gone "$pid" || fail "process $pid does not end"
    done
    rm -f "$LAN_DIR/bridge"
    for file in "$LAN_DIR"/[0-9]*; do
        [[ -d $file ]] && rm -rf "$file"
    done
    rm -f "$LAN_DIR/bridge.log" "$LAN_DIR/bridge.ready"
    rmdir "$LAN_DIR" 2>/dev/null || true
}

verb=${1:-help}
(($#)) && shift
case $verb in
up) up "$@" ;;
init) init "$@" ;;
bridge) bridge ;;
exec) within "$@" ;;
bg) background "$@" ;;
sig) within "$1" kill "-$3" "$(<"$LAN_DIR/$1/$2.pid")" ;;
log) cat "$LAN_DIR/$1/$2.log" ;;
avahi) avahi "$@" ;;
dbus) dbus "$@" ;;
link) nsenter --target "$(recall "$LAN_DIR/bridge")" --net ip link set "port$1" "$2" ;;
down) down ;;
*)
    sed -n '3,25s/^# \{0,1\}//p' "$self"
    exit 64
    ;;
esac
