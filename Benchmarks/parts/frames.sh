#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A table of a server in Python: the CPU time of the package and of the helper for data, beside relctl.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

readonly port=17098 database=$work/tables/sales.db socket=$runtime/relativityd/data.sock
serve_sales $port "$database"
lan bg 1 helper env XDG_RUNTIME_DIR=$runtime HOME="$work/home" "$programs/relativityd-data" serve --socket "$socket"
await 10 "the helper for data" is_socket "$socket"
record on_host PYTHONPATH="$root/python/src" PYTHONDONTWRITEBYTECODE=1 "$python" "$root/Benchmarks/frames.py" "$trips" "$work/sales.arrow"
