#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# install.sh system   installs for all users under PREFIX (default /usr/local), below DESTDIR where that is set
# install.sh user     installs for the user who calls it, under ~/.local
#
# PROGRAMS_DIR names the directory with the stripped programs, if they are not those of the tar file or of `make
# release`. Every installed path is recorded in PREFIX/lib/relativityd/installed, which uninstall.sh reads: one line "f
# PATH" or "d PATH" for each file and each created directory, without DESTDIR.
set -euo pipefail

cd "$(dirname "$0")/.."
built=${PROGRAMS_DIR:-.build/stripped}
# The tar file of a release has its programs here.
[ -n "${PROGRAMS_DIR:-}" ] || [ ! -d programs ] || built=programs
readonly built

case "${1:-}" in
    system)
        destdir=${DESTDIR:-}
        prefix=${PREFIX:-/usr/local}
        units=$prefix/lib/systemd/user
        ;;
    user)
        destdir=""
        prefix=$HOME/.local
        # The directory for units of programs that are installed in the home directory. The user's own units and
        # drop-ins are in the other one, which has priority.
        units=${XDG_DATA_HOME:-$HOME/.local/share}/systemd/user
        earlier=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
        ;;
    *)
        sed -n '4,5s/^# //p' "$0" >&2
        exit 64
        ;;
esac
case $prefix in
    *[!A-Za-z0-9/._+~@-]* | [!/]*)
        echo "install.sh: PREFIX must be an absolute path of letters, digits and /._+~@-" >&2
        exit 64
        ;;
esac

if [ ! -x "$built/relativityd" ]; then
    if [ -n "${SUDO_USER:-}" ]; then
        echo "install.sh: no release programs in $built: run 'make release' first, without sudo" >&2
        exit 1
    fi
    make release
fi

[ -z "$destdir" ] || mkdir -p "$destdir"
readonly list=$prefix/lib/relativityd/installed
record=$(mktemp)
trap 'rm -f "$record"' EXIT

# directory PATH [MODE]: creates PATH and its missing parents.
directory() {
    [ ! -d "$destdir$1" ] || return 0
    directory "$(dirname "$1")"
    install -d -m "${2:-755}" "$destdir$1"
    echo "d $1" >>"$record"
}

# put MODE SOURCE PATH
put() {
    directory "$(dirname "$3")"
    install -m "$1" "$2" "$destdir$3"
    echo "f $3" >>"$record"
}

unit() {
    local rewritten
    rewritten=$(mktemp)
    sed "s,^\(ExecStart=:\{0\,1\}\)/usr/local/,\1$prefix/," "systemd/$1" >"$rewritten"
    put 644 "$rewritten" "$units/$1"
    rm -f "$rewritten"
}

for program in relativityd relctl relativity-sample-server; do
    put 755 "$built/$program" "$prefix/bin/$program"
done
for helper in relativityd-secret-service relativityd-data; do
    put 755 "$built/$helper" "$prefix/libexec/relativityd/$helper"
done
for unit in relativityd.service relativityd.socket relativityd-data.service relativityd-data.socket \
    relativityd-refresh.service relativityd-refresh.timer relativity-ready@.service; do
    unit "$unit"
done
put 644 "$built/relativity.so" "$prefix/lib/relativity.so"
put 644 "$built/relctl.bash" "$prefix/share/bash-completion/completions/relctl"
put 644 "$built/relctl.zsh" "$prefix/share/zsh/site-functions/_relctl"
put 644 "$built/relctl.fish" "$prefix/share/fish/vendor_completions.d/relctl.fish"
for page in man/*.[1-8]; do
    [ -e "$page" ] || continue
    rewritten=$(mktemp)
    sed "s,ExecStart=/usr/local/bin/,ExecStart=$prefix/bin/," "$page" >"$rewritten"
    put 644 "$rewritten" "$prefix/share/man/man${page##*.}/$(basename "$page")"
    rm -f "$rewritten"
done
documents=$prefix/share/doc/relativityd
[ ! -e "$built/relativityd.cdx.json" ] || put 644 "$built/relativityd.cdx.json" "$documents/relativityd.cdx.json"
# The tree of the sources, so that links between documents hold. Links to files that are not installed become text.
while read -r document; do
    case $document in
        *.md)
            rewritten=$(mktemp)
            sed -E -e 's,\[([^]]*)\]\((\.\./)*(Sources|scripts|Benchmarks|Tests|systemd|python)/[^)]*\),\1,g' \
                -e "s,ExecStart=/usr/local/bin/,ExecStart=$prefix/bin/," "$document" >"$rewritten"
            put 644 "$rewritten" "$documents/$document"
            rm -f "$rewritten"
            ;;
        *) put 644 "$document" "$documents/$document" ;;
    esac
done < <(find README.md CHANGELOG.md SECURITY.md ARCHITECTURE.md CONTRIBUTING.md LICENSE THIRD-PARTY-LICENSES.md \
    config docs -type f ! -name '.*' 2>/dev/null | sort)
if [ "$1" = user ]; then
    # The daemon's data and the user's configuration are private to the user.
    directory "${XDG_DATA_HOME:-$HOME/.local/share}/relativityd" 700
    directory "${XDG_STATE_HOME:-$HOME/.local/state}/relativityd" 700
    directory "${XDG_CONFIG_HOME:-$HOME/.config}/relativityd" 700
fi
# Version 0.1 installed units where they would hide the new ones. Links of `systemctl enable` to them follow.
if [ "$1" = user ] && [ -e "$list" ]; then
    while read -r kind path; do
        case $kind-$path in
            f-"$earlier"/relativity*) ;;
            *) continue ;;
        esac
        rm -f "$path"
        for link in "$earlier"/*.wants/"$(basename "$path")"; do
            [ "$(readlink "$link")" != "$path" ] || ln -sfn "$units/$(basename "$path")" "$link"
        done
        grep -vxF "$kind $path" "$list" >"$list.new" || true
        mv "$list.new" "$list"
    done < <(cat "$list")
fi

# The list itself is last. It keeps the paths of an earlier installation that this one does not install, so that
# uninstall.sh removes them too.
directory "$(dirname "$list")"
echo "f $list" >>"$record"
if [ -e "$destdir$list" ]; then
    cat "$destdir$list" >>"$record"
fi
sort -u "$record" >"$destdir$list.new"
mv "$destdir$list.new" "$destdir$list"

echo "Installed under $destdir$prefix."
[ -z "$destdir" ] || exit 0
if [ "$1" = user ] && [ -S "${XDG_RUNTIME_DIR:-/nonexistent}/systemd/private" ]; then
    systemctl --user daemon-reload
    if systemctl --user --quiet is-active relativityd.service; then
        echo "The old daemon is still running; next: systemctl --user restart relativityd.service"
        exit 0
    fi
fi
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "$prefix/bin is not in PATH; add it to find relctl there." ;;
esac
[ "$1" = user ] || echo "Each user who wants the daemon runs:"
[ "$1" = system ] || echo "Next:"
echo "  systemctl --user enable --now relativityd.socket relativityd-data.socket"
echo "  relctl status"
