#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# python-wheel.sh DIRECTORY: builds the package in python/ as a wheel in DIRECTORY, without network. The same sources
# make the same bytes. Needs the environment of python-env.sh.
set -euo pipefail

directory=$(realpath --canonicalize-missing "${1:?name a directory}")
cd "$(dirname "$0")/.."
mkdir -p "$directory"
# The first time that a zip file can have.
export SOURCE_DATE_EPOCH=315532800
.build/python/bin/python3 -m flit_core.wheel --outdir "$directory" python
