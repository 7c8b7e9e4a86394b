#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A table of a server in Python: the CPU time of the package and of the helper for data, beside relctl.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

readonly port=17098 database=$work/tables/sales.db socket=$runtime/relativityd/data.sock
start_daemon 1
mkdir "$work/tables"
"$python" Benchmarks/tables.py prepare "$database" "$rows"
lan bg 1 tables "$programs/relativity-sample-server" --port $port --data-dir "$work/tables" --database "$database" \
    --compression 0
await 10 "the server of the table" is_port $port
make_vault
add_login tables $port Relativity --user Data
lan bg 1 helper env XDG_RUNTIME_DIR=$runtime HOME="$work/home" "$programs/relativityd-data" serve --socket "$socket"
await 10 "the helper for data" is_socket "$socket"
record on_host PYTHONPATH="$root/python/src" PYTHONDONTWRITEBYTECODE=1 "$python" "$root/Benchmarks/frames.py" "$trips" "$work/sales.arrow"
