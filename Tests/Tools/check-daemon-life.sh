#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What happens to sessions, adapters, watchers and files while a user manager starts, reloads, restarts, stops and loses
# the daemon. Has the requirements of installed-daemon.sh. Exits with 0 if every check succeeds.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=Tests/Tools/checks.sh
source "$here/checks.sh"
# shellcheck source=Tests/Tools/installed-daemon.sh
source "$here/installed-daemon.sh"

# post CURL-OPTION...: sends a call that needs a login, and prints the HTTP status and the first bytes of the reply.
post() {
    printf 'RO107\0\0\0\0\0\0\0ABCDEFGHIJKLMNOP\13\0\0\0DataService\11\0\0\0GetSchema\0\0\0\0' >"$home/request"
    manager exec curl --silent --max-time 30 --output /home/tester/reply --write-out '%{http_code} ' \
        --data-binary @/home/tester/request "$@" || true
    head -c 5 "$home/reply" 2>/dev/null || true
}
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# The files of the daemon. The manager removes the directories of PrivateTmp= later, on its own.
listing() {
    manager exec sh -c 'cd && find .local/share/relativityd .local/state/relativityd .config/relativityd \
        /run/user/1234/relativityd ! -name "audit*" -printf "%p %y\n" | sort'
    manager exec find /tmp /home/tester -maxdepth 1 -name '*relativityd*' ! -name 'systemd-private-*'
}

control enable --quiet --now relativityd.socket
sample_server 7301
login=$(configured_login office 7301)
manager exec sh -c 'printf "%s\n" "[probe]" "mode = \"off\"" "[[adapter]]" "name = \"fixed\"" "login = \"office\"" \
    "form = \"loopback\"" "port = 7399" "path = \"/0123456789abcdef0123456789abcdef\"" \
    >/home/tester/.config/relativityd/relativityd.toml'
fixed=http://127.0.0.1:7399/0123456789abcdef0123456789abcdef
drop_in relativityd.service RestartSec=0 WatchdogSec=1 "$login" "[Unit]" StartLimitIntervalSec=0
control restart relativityd.service

socket=$(relctl adapter open office | sed -n 's/^socket: *//p')
check "a call through an adapter logs in" "200 RO107" "$(post --unix-socket "${socket:-/none}" http://a/bin)"
check "once" 1 "$(calls 7301 LoginService.LoginEx)"
before=$(property MainPID)
check "a reload succeeds" 0 "$(control reload relativityd.service 2>&1; echo $?)"
check "the adapter still works" "200 RO107" "$(post --unix-socket "${socket:-/none}" http://a/bin)"
check "in the same session" "1 0" "$(calls 7301 LoginService.LoginEx) $(calls 7301 LoginService.Logout)"
check "of the same process" "$before" "$(property MainPID)"
check "an adapter of the configuration shares it" "200 RO107" "$(post "$fixed")"
check "without another login" 1 "$(calls 7301 LoginService.LoginEx)"

(manager exec /home/tester/.local/bin/relctl watch --json >"$USER_MANAGER_DIR/watch" 2>"$USER_MANAGER_DIR/notes" ||
    true) 2>/dev/null &
await "relctl watch prints the servers" 1 grep -c snapshot "$USER_MANAGER_DIR/watch"
control restart relativityd.service
check "a restart logs out" 1 "$(calls 7301 LoginService.Logout)"
check "the adapter of the configuration works after it" "200 RO107" "$(post "$fixed")"
check "with a login of its own" 2 "$(calls 7301 LoginService.LoginEx)"
await "relctl watch connects again" 2 grep -c snapshot "$USER_MANAGER_DIR/watch"
relctl add new 127.0.0.1:7302 >/dev/null 2>&1
await "and reports changes" 1 grep -c '"kind":"added".*"name":"new"' "$USER_MANAGER_DIR/watch"
check "it says so" 1 "$(grep -c '^relctl: note: ' "$USER_MANAGER_DIR/notes" || true)"

note="note: the daemon is older than the installed program '/home/tester/.local/bin/relativityd': "
note+="systemctl --user restart relativityd.service"
check "nothing is newer than the daemon" 0 "$(relctl status 2>/dev/null | grep -c "^note: the daemon is older" || true)"
manager exec env PROGRAMS_DIR=/home/tester/programs /home/tester/source/scripts/install.sh user >/dev/null
check "nor is the same program, installed again" 0 "$(relctl status 2>/dev/null | grep -c "^note: the daemon is older" || true)"
manager exec sh -c "printf '\\0' >>/home/tester/programs/relativityd"
manager exec env PROGRAMS_DIR=/home/tester/programs /home/tester/source/scripts/install.sh user >/dev/null
check "after an upgrade, status says so" "$note" "$(relctl status 2>/dev/null | grep '^note: the daemon is older' || true)"
check "with a code" 1 "$(relctl status --json 2>/dev/null | grep -c '"code":"programReplaced"' || true)"
check "and so does version" "$note" "$(relctl version | grep '^note: ' || true)"
check "a second daemon names the first" $'75\n'"process $(property MainPID) " "$(
    manager exec /home/tester/.local/bin/relativityd 2>"$USER_MANAGER_DIR/second" || echo $?
    sed -n 's/.*another relativityd, \(process [0-9]* \)on .*/\1/p' "$USER_MANAGER_DIR/second"
)"
control restart relativityd.service
check "after a restart nothing is newer" 0 "$(relctl status 2>/dev/null | grep -c "^note: the daemon is older" || true)"
check "a session is opened again" "200 RO107" "$(post "$fixed")"

start=$(milliseconds)
check "a stop succeeds" 0 "$(control stop --quiet relativityd.service 2>/dev/null; echo $?)"
took=$(($(milliseconds) - start))
check "the session is logged out" 3 "$(calls 7301 LoginService.Logout)"
check "within 5 seconds ($took ms)" yes "$([ $took -lt 5000 ] && echo yes)"

check "a session is opened" "200 RO107" "$(relctl list >/dev/null 2>&1; post "$fixed")"
# shellcheck disable=SC2016 # the inner shell expands it
manager exec sh -c 'kill -STOP $(cat ~/server.7301.pid)'
start=$(milliseconds)
control stop --quiet relativityd.service 2>/dev/null || true
took=$(($(milliseconds) - start))
check "a stop ends in time if the server hangs ($took ms)" yes "$([ $took -lt 8000 ] && echo yes)"
check "without a kill" success "$(property Result)"
# shellcheck disable=SC2016 # the inner shell expands it
manager exec sh -c 'kill -CONT $(cat ~/server.7301.pid)'

# The same units behind servers. The server of the first comes after two seconds, that of the second never.
behind() {
    printf '%s\n' '[Unit]' "Requires=$2" "After=$2" '[Service]' Type=oneshot RemainAfterExit=yes \
        "ExecStart=/bin/bash -c ': </dev/tcp/127.0.0.1/$3'" >"$home/.config/systemd/user/$1.service"
    control daemon-reload
}
later=$(systemd-escape --template=relativity-ready@.service later-on)
relctl add later-on 127.0.0.1:7303 >/dev/null 2>&1
relctl add never 127.0.0.1:7304 >/dev/null 2>&1
behind first "$later" 7303
behind second relativity-ready@never.service 7304
control start --no-block first.service
await "a unit behind a server waits for it" $'activating\ninactive' control is-active "$later" first.service
sleep 2
sample_server 7303
await "and starts when the server is there" $'active\nactive' control is-active "$later" first.service
control stop first.service
await "the next start waits again" inactive control is-active "$later"
drop_in relativity-ready@.service TimeoutStartSec=2
check "a unit behind a server that never comes fails" 1 "$(control start second.service >/dev/null 2>&1; echo $?)"
check "in time" timeout "$(property Result relativity-ready@never.service)"
check "and does not run" inactive "$(control is-active second.service)"

# A watchdog of one second, under load.
before=$(property NRestarts)
load=()
for _ in 1 2 3 4; do
    (manager exec timeout 4 sh -c 'while :; do ~/.local/bin/relctl list; ~/.local/bin/relctl table get office Deps; done' \
        >/dev/null 2>&1 || true) &
    load+=($!)
done
wait "${load[@]}"
check "under load the watchdog is kept" "$before active" "$(property NRestarts) $(control is-active relativityd.service)"

# A burst: all adapters, many watchers, and a key that is derived from a passphrase.
control restart relativityd.service
printf 'correct horse battery\n' | relctl vault init --provider passphrase --passphrase-stdin >/dev/null 2>&1
relctl vault lock >/dev/null
# shellcheck disable=SC2016 # the inner shell expands it
check "63 adapters are opened next to the one of the configuration" 63 "$(manager exec bash -c '
    PATH=$HOME/.local/bin:$PATH
    for _ in $(seq 40); do timeout 20 relctl watch >/dev/null 2>&1 & done
    for _ in $(seq 63); do relctl adapter open office >/dev/null 2>&1 && echo opened & done | wc -l')"
check "the vault is opened meanwhile" 0 \
    "$(printf 'correct horse battery\n' | relctl vault unlock --passphrase-stdin >/dev/null 2>&1; echo $?)"
process=/proc/$(property MainPID)
group=/sys/fs/cgroup$(manager root sed -n 's/^0:://p' "$process/cgroup")
memory=$(manager root cat "$group/memory.peak" 2>/dev/null ||
    echo $(($(manager root sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "$process/status") * 1024)))
tasks=$(manager root cat "$group/pids.peak" 2>/dev/null ||
    manager root sed -n 's/^Threads:[^0-9]*//p' "$process/status")
check "its memory is below half of MemoryMax ($((memory >> 20)) MiB)" yes \
    "$([ "$memory" -lt $(($(property MemoryMax) / 2)) ] && echo yes)"
check "its tasks are below half of TasksMax ($tasks)" yes "$([ "$tasks" -lt $(($(property TasksMax) / 2)) ] && echo yes)"

for signal in SEGV ABRT KILL; do
    before=$(property NRestarts)
    manager exec kill -$signal "$(property MainPID)"
    await "a daemon that $signal ends is restarted" $((before + 1)) property NRestarts
    await "and answers at the same socket" 0 sh -c "'$here/user-manager.sh' exec /home/tester/.local/bin/relctl list \
        >/dev/null 2>&1; echo \$?"
done

# 50 starts and stops and 50 kills, with open adapters and a client.
relctl adapter open office >/dev/null 2>&1
control stop --quiet relativityd.service 2>/dev/null
before=$(listing)
# shellcheck disable=SC2016 # the inner shell expands it
check "it starts and stops 50 times" 50 "$(manager exec bash -c 'good=0
    for _ in $(seq 50); do
        systemctl --user start relativityd.service && systemctl --user --quiet stop relativityd.service 2>/dev/null &&
            good=$((good + 1))
    done
    echo $good')"
check "and leaves no file" "$before" "$(listing)"
# shellcheck disable=SC2016 # the inner shell expands it
check "50 times it is killed and answers again" 50 "$(manager exec bash -c 'good=0
    PATH=$HOME/.local/bin:$PATH
    for _ in $(seq 50); do
        relctl adapter open office >/dev/null 2>&1 && good=$((good + 1))
        pid=$(systemctl --user show --value --property MainPID relativityd.service)
        # Without a daemon it is 0, which kill takes for its own group.
        [ "$pid" != 0 ] || continue
        kill -KILL "$pid"
        while kill -0 "$pid"; do sleep .01; done 2>/dev/null
        # systemd gives a socket up that starts its service more than 20 times in 2 seconds.
        sleep .12
    done
    echo $good')"
control stop --quiet relativityd.service 2>/dev/null || true
relctl list >/dev/null 2>&1
control stop --quiet relativityd.service 2>/dev/null
check "and leaves no file then" "$before" "$(listing)"

finish
