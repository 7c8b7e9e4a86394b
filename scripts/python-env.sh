#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# python-env.sh [packages|tools|harlequin]: creates the Python environment for tests and benchmarks, .build/python/bin/python3,
# with Debian's packages (cryptography) and those of Tests/Tools/requirements.txt; or the one for the check of packages,
# .build/python-packages, with those of requirements-packages.txt; or the one with programs that read tables of servers,
# .build/python-tools; or the one with Harlequin, .build/python-harlequin. Does nothing if it is up to date.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly environment=.build/python${1:+-$1}
readonly list=Tests/Tools/requirements${1:+-$1}.txt

if cmp -s "$list" "$environment/installed.txt" && "$environment/bin/python3" -c '' 2>/dev/null; then
    exit 0
fi
echo "Fetching the Python packages of $list from PyPI into $environment"
rm -rf "$environment"
# Debian's own interpreter, for which Debian's python3-cryptography is built.
/usr/bin/python3 -m venv --system-site-packages "$environment"
"$environment/bin/python3" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement "$list"
cp "$list" "$environment/installed.txt"
