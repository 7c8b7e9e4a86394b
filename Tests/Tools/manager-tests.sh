# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For scripts that test units under a real service manager: source this file first. Without root, systemd, namespaces and
# cgroup v2 the script is skipped, which is a failure with CI=true.

skip() {
    echo "SKIPPED $(basename "$0"): $1"
    [ "${CI:-}" != true ]
    exit
}

[ "$(id -u)" = 0 ] || skip "needs root"
[ -x /lib/systemd/systemd ] || skip "needs systemd"
unshare --mount --cgroup --pid --net --fork true 2>/dev/null || skip "may not make namespaces here"
[ -w /sys/fs/cgroup/unified ] || [ -w /sys/fs/cgroup/cgroup.procs ] || skip "may not make a cgroup here"

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..

# put_programs HOME: copies what an installation needs to ~/source and ~/programs of the user tester: PROGRAMS_DIR, or
# .build/debug. A copy, because the user may have no access to the sources.
put_programs() {
    local home=$1 built=${PROGRAMS_DIR:-$root/.build/debug} program
    [ -x "$built/relativityd" ] || {
        echo "$(basename "$0"): nothing is built in $built" >&2
        exit 1
    }
    mkdir "$home/source" "$home/programs"
    cp -R "$root/scripts" "$root/systemd" "$root/config" "$home/source/"
    for program in relativityd relativityd-secret-service relativityd-data relctl relativity-sample-server; do
        strip --strip-debug -o "$home/programs/$program" "$built/$program"
    done
    touch "$home/programs"/{relativity.so,relctl.{bash,zsh,fish}}
    chown -R 1234:1234 "$home"
}
