#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The registry, as a plain dictionary would do it.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

"$probes/registry-probe" "$work/registry" 10000 "$trips" | sed 's/^{/{"name": "registry", /' >"$work/lines"
record cat "$work/lines"
