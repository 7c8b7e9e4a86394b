#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Removes the files that install.sh installed, according to the lists that it wrote: the one of this user, and the one
# under PREFIX (default /usr/local). With DESTDIR only the latter, below DESTDIR. Directories are removed only if they
# are empty: vault, state and configuration are kept.
set -euo pipefail

# remove DESTDIR LIST
remove() {
    local kind path
    # Longest path first, so that a directory follows its content.
    while read -r kind path; do
        case $kind in
            f) rm -f "$1$path" ;;
            d) rmdir "$1$path" 2>/dev/null || true ;;
        esac
    done < <(awk '{ print length($0), $0 }' "$2" | sort -rn | cut -d ' ' -f 2-)
}

found=no
own=$HOME/.local/lib/relativityd/installed
everyones=${DESTDIR:-}${PREFIX:-/usr/local}/lib/relativityd/installed

if [ -e "$own" ] && [ -z "${DESTDIR:-}" ]; then
    found=yes
    manager=no
    if [ -S "${XDG_RUNTIME_DIR:-/nonexistent}/systemd/private" ]; then
        manager=yes
        systemctl --user disable --quiet --now relativityd-refresh.timer relativityd-data.socket \
            relativityd-data.service relativityd.socket relativityd.service || true
    fi
    remove "" "$own"
    [ $manager = no ] || systemctl --user daemon-reload
    echo "Removed from $HOME/.local."
    for directory in "${XDG_DATA_HOME:-$HOME/.local/share}" "${XDG_STATE_HOME:-$HOME/.local/state}" \
        "${XDG_CONFIG_HOME:-$HOME/.config}"; do
        for name in relativityd relativityd-data; do
            [ ! -d "$directory/$name" ] || echo "Left in place: $directory/$name"
        done
    done
fi
if [ -e "$everyones" ] && [ "$everyones" != "$own" ]; then
    found=yes
    remove "${DESTDIR:-}" "$everyones"
    echo "Removed from ${DESTDIR:-}${PREFIX:-/usr/local}. Users who enabled the units run:"
    echo "  systemctl --user disable --now relativityd.socket relativityd-data.socket relativityd-refresh.timer"
fi
[ $found = yes ] || echo "Nothing is installed: neither $own nor $everyones is there."
