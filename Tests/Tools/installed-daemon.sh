# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For scripts with checks of the daemon under a real user manager: source this file after checks.sh. It runs the script
# again in a network of its own, installs the built programs (PROGRAMS_DIR, or .build/debug) for a user with an empty
# home directory like `make install-user`, and defines functions. Needs root, namespaces and cgroup v2. Without them the
# script is skipped, which is a failure with CI=true.

# shellcheck source=Tests/Tools/manager-tests.sh
source "$(dirname "${BASH_SOURCE[0]}")/manager-tests.sh"

# The sample server and the daemon use the network, so they get a separate one.
if [ "${1:-}" != _apart ]; then
    exec unshare --net -- "$0" _apart
fi
ip link set lo up

USER_MANAGER_DIR=$(mktemp -d)
export USER_MANAGER_DIR

manager() { "$here/user-manager.sh" "$@"; }
control() { manager exec timeout 20 systemctl --user "$@"; }
relctl() { manager exec timeout 60 /home/tester/.local/bin/relctl "$@"; }
property() { control show --value --property "$1" "${2:-relativityd.service}"; }

cleanup() {
    local status=$?
    if [ $status != 0 ]; then manager log >&2 || true; fi
    manager stop || true
    rm -rf "$USER_MANAGER_DIR"
    exit $status
}
trap cleanup EXIT
manager start
home=$(manager home)

put_programs "$home"
manager exec env PROGRAMS_DIR=/home/tester/programs /home/tester/source/scripts/install.sh user >/dev/null
manager exec rm -r /home/tester/.local/share/relativityd /home/tester/.local/state/relativityd

# drop_in UNIT LINE...: sets lines of the section [Service] of a unit.
drop_in() {
    local directory="$home/.config/systemd/user/$1.d"
    shift
    mkdir -p "$directory"
    printf '%s\n' '[Service]' "$@" >"$directory/test.conf"
    chown -R 1234:1234 "$home/.config/systemd"
    control daemon-reload
}

# sample_server PORT [OPTION...]: starts a sample server that writes the names of calls to ~/calls.PORT, and waits until
# it listens. Its process ID is in ~/server.PORT.pid.
sample_server() {
    local port=$1
    shift
    # shellcheck disable=SC2016 # the inner shell expands these
    manager exec sh -c 'port=$1 && shift && cd && mkdir -p "data.$port" || exit
        setsid .local/bin/relativity-sample-server --port "$port" --data-dir "data.$port" --log-requests "calls.$port" \
            "$@" </dev/null >"server.$port.log" 2>&1 &
        echo $! >"server.$port.pid"' sh "$port" "$@"
    await "the sample server listens at $port" 1 grep -c "^listening on 127.0.0.1:$port" "$home/server.$port.log"
}

# calls PORT METHOD: the number of calls of a method so far.
calls() { grep -c "^$2\$" "$home/calls.$1" 2>/dev/null || true; }

# add_login ENDPOINT: adds a login for a sample server, and prints what relctl prints.
add_login() {
    local pin
    pin=$(relctl show "$1" | sed -n 's/^fingerprint: *//p')
    printf 'simple\n' | relctl login add "$1" --user simple --domain DASamples --schema Simple --password-stdin \
        --allow-plaintext --pin "$pin" 2>&1 | grep -v '^relctl: warning: this is the well-known password of ' || true
}

# configured_login NAME PORT: gives the daemon a login of the administrator, for the sample server at PORT, and prints the
# line of a drop-in for it.
configured_login() {
    local pin
    relctl add "$1.pin" "127.0.0.1:$2" >/dev/null 2>&1
    pin=$(relctl show "$1.pin" | sed -n 's/^fingerprint: *//p')
    relctl endpoint remove "$1.pin" >/dev/null 2>&1
    printf '%s\n' "url=http://127.0.0.1:$2" user=simple domain=DASamples schema=Simple "pin=$pin" allow_plaintext=yes \
        password=simple >"$home/$1.login"
    chown 1234:1234 "$home/$1.login"
    echo "LoadCredential=relativityd.login.$1:/home/tester/$1.login"
}
