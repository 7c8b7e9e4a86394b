#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the Python that tests and benchmarks use: .build/python/bin/python3, with Debian's packages (cryptography) and
# those of Tests/Tools/requirements.txt. Does nothing where it is up to date.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly environment=.build/python
readonly list=Tests/Tools/requirements.txt

if cmp -s "$list" "$environment/installed.txt" && "$environment/bin/python3" -c '' 2>/dev/null; then
    exit 0
fi
echo "Fetching the Python packages of $list from PyPI into $environment"
rm -rf "$environment"
# Debian's own interpreter: the one that Debian's python3-cryptography is for.
/usr/bin/python3 -m venv --system-site-packages "$environment"
"$environment/bin/python3" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --requirement "$list"
cp "$list" "$environment/installed.txt"
