#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs for a user with an empty home directory, and starts the installed units with a real user manager, with
# sandbox-probe.c instead of the daemon. Checks that the sandbox permits what the daemon needs and refuses the rest, and
# that removal removes the units. Needs root, namespaces and cgroup v2. Without them it is skipped, which is a failure
# with CI=true. Exits with 0 if every check succeeds.
set -euo pipefail

# shellcheck source=Tests/Tools/manager-tests.sh
source "$(dirname "$0")/manager-tests.sh"
USER_MANAGER_DIR=$(mktemp -d)
export USER_MANAGER_DIR
# shellcheck source=Tests/Tools/checks.sh
source "$here/checks.sh"

manager() { "$here/user-manager.sh" "$@"; }
# systemctl waits for its own lock when the manager hangs, so every call has a timeout.
control() { manager exec timeout 20 systemctl --user "$@"; }

cleanup() {
    local status=$?
    if [ $status != 0 ]; then manager log >&2 || true; fi
    manager stop || true
    rm -rf "$USER_MANAGER_DIR"
    exit $status
}

probe() { sed -n "s/^$1 //p" "$home/.local/state/relativityd/probe"; }
property() { control show --value --property "$1" "$2"; }
helper() {
    echo "$(control is-active relativityd-data.service)" \
        "$(property ExecMainStatus relativityd-data.service) $(property NRestarts relativityd-data.service)"
}
mode() { manager exec stat -c %a "$1"; }

# probed SERVICE STATE [LINE]: has SERVICE write what directive-probe.c sees in its sandbox to the directory STATE.
# LINE is added to its section [Service].
probed() {
    mkdir -p "$home/.config/systemd/user/$1.service.d"
    printf '[Service]\nExecStartPre=%s %%h/.local/state/%s/directives\n%s\n' /home/tester/programs/directive-probe \
        "$2" "${3:-}" >"$home/.config/systemd/user/$1.service.d/probe.conf"
}

# in_force SERVICE STATE: prints the directives of SERVICE that make no difference, or that the probe does not know.
in_force() {
    local directive inside outside
    for directive in $(sed -n '/^PrivateUsers=/,/^\[Install/s/^\([A-Z][A-Za-z]*\)=.*/\1/p' "$root/systemd/$1.service") \
        UMask LimitCORE SystemCallFilter=~@resources SystemCallFilter=~@privileged; do
        case $directive in
            # Other checks show these.
            ReadWritePaths | InaccessiblePaths) continue ;;
            # Hides a directory that a container does not have.
            ProtectKernelModules) [ -d /usr/lib/modules ] || continue ;;
        esac
        inside=$(sed -n "s/^$directive //p" "$home/.local/state/$2/directives")
        outside=$(sed -n "s/^$directive //p" "$home/outside")
        [ -n "$inside" ] && [ "$inside" != "$outside" ] || echo "$directive"
    done
}

trap cleanup EXIT
manager start
home=$(manager home)
# A copy, because the user may have no access to the sources.
mkdir "$home/source" "$home/programs"
cp -R "$root/scripts" "$root/systemd" "$home/source/"
cc -O1 -Wall -Wextra -Werror -o "$home/programs/relativityd" "$here/sandbox-probe.c"
cc -O1 -Wall -Wextra -Werror -o "$home/programs/directive-probe" "$here/directive-probe.c"
touch "$home/programs"/{relativity.so,relativityd-secret-service,relativity-sample-server,relctl.{bash,zsh,fish}}
# Stands in for the helper for data. Its exit status is the sum of what the sandbox does wrong.
cat >"$home/programs/relativityd-data" <<'EOF'
#!/bin/sh
wrong=0
[ "$1 $LISTEN_FDS" = "serve 1" ] || wrong=$((wrong + 1))
! ls "$HOME/.local/share/relativityd" || wrong=$((wrong + 2))
! ls "$HOME/.local/state/relativityd" || wrong=$((wrong + 4))
! touch "$HOME/written" || wrong=$((wrong + 8))
[ ! -r "$XDG_RUNTIME_DIR/relativityd/relativityd.sock" ] || wrong=$((wrong + 16))
[ -r "$XDG_RUNTIME_DIR/relativityd/adapters.sock" ] || wrong=$((wrong + 32))
! ls "$HOME/.ssh" || wrong=$((wrong + 64))
touch "$HOME/.local/state/relativityd-data/set" || wrong=$((wrong + 128))
exit $wrong
EOF
# The same for the refresh of kept tables.
cat >"$home/programs/relctl" <<'EOF'
#!/bin/sh
wrong=0
[ "$*" != "endpoint wait --quiet --timeout 1h -- my-shop \$HOME" ] || exit 0
[ "$*" = "briefcase refresh --kept" ] || wrong=$((wrong + 1))
! ls "$HOME/.local/share/relativityd" || wrong=$((wrong + 2))
! touch "$HOME/.local/state/relativityd/written" || wrong=$((wrong + 4))
! touch "$HOME/written" || wrong=$((wrong + 8))
[ -r "$XDG_RUNTIME_DIR/relativityd/relativityd.sock" ] || wrong=$((wrong + 16))
[ ! -r "$XDG_RUNTIME_DIR/relativityd/adapters.sock" ] || wrong=$((wrong + 32))
! ls "$HOME/.ssh" || wrong=$((wrong + 64))
touch "$HOME/.local/state/relativityd-kept/set/refreshed" || wrong=$((wrong + 128))
exit $wrong
EOF
chmod 755 "$home/programs/relativityd-data" "$home/programs/relctl"
chown -R 1234:1234 "$home"
manager exec env PROGRAMS_DIR=/home/tester/programs /home/tester/source/scripts/install.sh user >/dev/null

inside=/home/tester/.local/share/systemd/user
check "systemd-analyze verify finds no fault" "" \
    "$(manager exec systemd-analyze verify --user --man=no "$inside"/relativityd{,-data}.{service,socket} \
        "$inside"/relativityd-refresh.{service,timer} "$inside/relativity-ready@.service" 2>&1)"
for service in relativityd relativityd-data relativityd-refresh relativity-ready@; do
    check "exposure of $service is below 2.0 of 10" 0 \
        "$(manager exec systemd-analyze security --user --offline=true --threshold=19 --no-pager \
            "$inside/$service.service" >/dev/null 2>&1; echo $?)"
done

# A package that is installed for all users makes no directories, so the first start must work without them.
manager exec rm -r /home/tester/.local/share/relativityd /home/tester/.local/state/relativityd
# Like a password agent.
manager exec mkdir -p -m 0755 /run/user/1234/systemd/ask-password
manager exec mkdir -m 0700 /home/tester/.ssh /home/tester/.gnupg
probed relativityd relativityd
probed relativityd-data relativityd-data
probed relativityd-refresh relativityd-kept
mkdir "$home/.local/state/ready"
probed relativity-ready@ ready 'ReadWritePaths=%h/.local/state/ready'
chown -R 1234:1234 "$home/.config/systemd" "$home/.local/state/ready"
manager exec /home/tester/programs/directive-probe /home/tester/outside
manager exec touch /home/tester/.profile /home/tester/.ssh/id /home/tester/.gnupg/key
control enable --quiet --now relativityd.socket relativityd-data.socket
check "the socket's directory is 0700" 700 "$(mode /run/user/1234/relativityd)"
check "the socket is 0600" 600 "$(mode /run/user/1234/relativityd/relativityd.sock)"
for socket in adapters data; do
    check "$socket.sock is 0600" 600 "$(mode "/run/user/1234/relativityd/$socket.sock")"
done
check "the service starts in an empty home" 0 "$(control start relativityd.service 2>&1; echo $?)"
for directory in share/relativityd state/relativityd; do
    check "the directory .local/$directory is 0700" 700 "$(mode "/home/tester/.local/$directory")"
done

for need in write-data bind-adapter ask-password session-bus locked-memory harden spawn interfaces peer-credentials \
    listen-fds watchdog; do
    check "has $need" ok "$(probe $need)"
done
# A kernel without memfd_secret (before 6.5 it is off by default) may refuse the call, but the filter must not.
secret_memory=$(probe secret-memory)
check "the system call filter lets memfd_secret pass" ok "${secret_memory/Function not implemented/ok}"
for ban in write-home write-runtime write-etc; do
    check "refuses $ban" "Read-only file system" "$(probe $ban)"
done
check "has read-home" ok "$(probe read-home)"
for ban in read-ssh read-gnupg; do
    check "refuses $ban" "Permission denied" "$(probe $ban)"
done
for limit in MemoryMax=2147483648 TasksMax=64 OOMPolicy=continue; do
    check "the manager has taken ${limit%=*}" "${limit#*=}" "$(property "${limit%=*}" relativityd.service)"
done
check "refuses executable-memory" "Operation not permitted" "$(probe executable-memory)"
check "refuses packet-socket" "Address family not supported by protocol" "$(probe packet-socket)"

check "every directive of relativityd is in force" "" "$(in_force relativityd relativityd)"

control start relativityd-data.service
await "the helper for data has its socket and the second one, and reaches nothing else" "inactive 0 0" \
    helper
check "every directive of relativityd-data is in force" "" "$(in_force relativityd-data relativityd-data)"
check "the directory of pending sets is 0700" 700 "$(mode /home/tester/.local/state/relativityd-data)"

kept=/home/tester/.local/state/relativityd-kept
control start relativityd-refresh.service
check "nothing is refreshed without kept tables" no "$(property ConditionResult relativityd-refresh.service)"
manager exec mkdir -p -m 0700 $kept/set
check "the refresh writes kept tables, and has access to nothing else" 0 \
    "$(control start relativityd-refresh.service; property ExecMainStatus relativityd-refresh.service)"
check "every directive of relativityd-refresh is in force" "" "$(in_force relativityd-refresh relativityd-kept)"
check "the tables are refreshed" 0 "$(manager exec test -e $kept/set/refreshed; echo $?)"
ready=$(systemd-escape --template=relativity-ready@.service "my-shop \$HOME")
check "the ready unit waits for the server of its name" 0 "$(control start "$ready" 2>&1; echo $?)"
check "every directive of relativity-ready@ is in force" "" "$(in_force relativity-ready@ ready)"
control enable --quiet --now relativityd-refresh.timer
check "the timer waits for the next half hour" "active waiting" \
    "$(control is-active relativityd-refresh.timer) $(property SubState relativityd-refresh.timer)"
control stop --quiet relativityd.service 2>/dev/null
check "the socket outlives the service" active "$(control is-active relativityd.socket)"
check "the socket's file is still there" 600 "$(mode /run/user/1234/relativityd/relativityd.sock)"

mkdir -p "$home/.config/systemd/user/relativityd.service.d"
printf '[Service]\nWatchdogSec=1\nRestartSec=0\n' >"$home/.config/systemd/user/relativityd.service.d/short.conf"
control daemon-reload
control start relativityd.service
manager exec kill -STOP "$(property MainPID relativityd.service)"
await "a daemon that hangs is restarted" 1 property NRestarts relativityd.service
await "and runs again" active control is-active relativityd.service
manager exec kill -KILL "$(property MainPID relativityd.service)"
await "a daemon that was killed is restarted" 2 property NRestarts relativityd.service

manager exec /home/tester/source/scripts/uninstall.sh >/dev/null
await "removal ends the service" inactive control is-active relativityd.service
await "and the socket" inactive control is-active relativityd.socket
await "and the timer" inactive control is-active relativityd-refresh.timer
check "systemd knows no unit any more" "" "$(control list-unit-files --no-legend 'relativity*')"
check "what the daemon wrote stays" ok "$(probe write-data)"

finish
