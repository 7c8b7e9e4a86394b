#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Replies of 1 MB are decoded. Both programs read exactly the same bytes, in turns.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

mkdir "$work/replies"
"$probes/wire-probe" write "$work/replies"
for _ in $(seq $trips); do
    record taskset --cpu-list $core "$probes/wire-probe" $decodes
    for shape in binary structs; do
        record taskset --cpu-list $core "$peers/decode_copy" $shape "$work/replies/$shape" $decodes
    done
done
