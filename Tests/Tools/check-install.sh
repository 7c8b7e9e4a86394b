#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs and removes stand-in programs in empty trees: the installed programs work, a second installation changes
# nothing, and a removal leaves only the user's files. Exits with 0 if every check succeeds.
set -euo pipefail

cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=Tests/Tools/checks.sh
source Tests/Tools/checks.sh

listing() { (cd "$1" && find . -printf '%P %y %m\n' | sort); }

export PROGRAMS_DIR=$work/programs HOME=$work/home DESTDIR=$work/tree PREFIX=/usr/local
unset XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME XDG_RUNTIME_DIR SYSCONFDIR SUDO_USER
mkdir -p "$PROGRAMS_DIR" "$HOME"
for program in relativityd relativityd-secret-service relativityd-data relctl relativity-sample-server; do
    printf '#!/bin/sh\necho %s\n' $program >"$PROGRAMS_DIR/$program"
    chmod 755 "$PROGRAMS_DIR/$program"
done
echo extension >"$PROGRAMS_DIR/relativity.so"
for shell in bash zsh fish; do echo "# $shell" >"$PROGRAMS_DIR/relctl.$shell"; done

scripts/install.sh system >/dev/null
check "relctl runs from where it is" relctl "$("$DESTDIR/usr/local/bin/relctl")"
check "the daemon's helper is beside it, out of PATH" relativityd-secret-service \
    "$("$DESTDIR/usr/local/bin/../libexec/relativityd/relativityd-secret-service")"
check "the unit names the installed program" "ExecStart=/usr/local/bin/relativityd" \
    "$(grep ^ExecStart= "$DESTDIR/usr/local/lib/systemd/user/relativityd.service")"
check "nothing of the build's paths is in it" "" "$(grep -rl "$work" "$DESTDIR" || true)"
first=$(listing "$DESTDIR")
scripts/install.sh system >/dev/null
check "a second installation changes nothing" "$first" "$(listing "$DESTDIR")"
scripts/uninstall.sh >/dev/null
check "removal leaves an empty tree" "$(listing "$HOME")" "$(listing "$DESTDIR")"

unset DESTDIR PREFIX
printf 'kept' >"$work/home/mine"
before=$(listing "$HOME")
export PREFIX=$work/nowhere
scripts/install.sh user >/dev/null
check "the user's program runs" relativityd "$("$HOME/.local/bin/relativityd")"
check "the user's unit names it" "ExecStart=$HOME/.local/bin/relativityd" \
    "$(grep ^ExecStart= "$HOME/.local/share/systemd/user/relativityd.service")"
for directory in .local/share/relativityd .local/state/relativityd .config/relativityd; do
    check "$directory is the user's alone" 700 "$(stat -c %a "$HOME/$directory")"
done
scripts/uninstall.sh >/dev/null
check "removal leaves the home directory as it was" "$before" "$(listing "$HOME")"

# As version 0.1 left it: an enabled unit in the directory that has priority, and a unit of the user's own.
old=$HOME/.config/systemd/user
mkdir -p "$old/sockets.target.wants" "$HOME/.local/lib/relativityd"
touch "$old/relativityd.socket" "$old/relativityd-own.service"
ln -s "$old/relativityd.socket" "$old/sockets.target.wants/relativityd.socket"
printf 'f %s\nd %s\n' "$old/relativityd.socket" "$old" >"$HOME/.local/lib/relativityd/installed"
scripts/install.sh user >/dev/null
check "no unit of version 0.1 hides the new one" "relativityd-own.service" \
    "$(cd "$old" && find . -name 'relativityd*' -type f -printf '%P\n')"
check "the socket stays enabled" "$HOME/.local/share/systemd/user/relativityd.socket" \
    "$(readlink -e "$old/sockets.target.wants/relativityd.socket")"
check "the list no longer names the old unit" 0 \
    "$(grep -c "^f $old/" "$HOME/.local/lib/relativityd/installed" || true)"
echo sealed >"$HOME/.local/share/relativityd/vault"
scripts/uninstall.sh >/dev/null
check "removal keeps the vault" sealed "$(cat "$HOME/.local/share/relativityd/vault")"
check "and says that nothing is installed when asked again" 0 \
    "$(scripts/uninstall.sh | grep -q '^Nothing is installed'; echo $?)"

finish
