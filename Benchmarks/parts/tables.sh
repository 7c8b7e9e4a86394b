#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A table of a server: read, exported, browsed, imported and edited.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

readonly port=17098 database=$work/tables/sales.db reads=$((trips < 5 ? trips : 5))
tables() { on_host "$python" "$root/Benchmarks/tables.py" "$@"; }

serve_sales $port "$database"
record tables measure "$database" "$reads" "$work/tables"
lan bg 1 data env -i HOME="$work/home" XDG_RUNTIME_DIR=$runtime LANG=C.UTF-8 \
    "$programs/relativityd-data" serve --socket $runtime/relativityd/data.sock
await 10 "the Data API" is_socket $runtime/relativityd/data.sock
record tables extension "$programs/relativity.so" "$reads" "$(on_host pgrep -f "relativityd-data serve")"
record tables browse "$database" "$trips"
record tables import "$database" "$reads" "$work/tables"
record tables edit "$database" "$trips" "$probes/table-probe"
