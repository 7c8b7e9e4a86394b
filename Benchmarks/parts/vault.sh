#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The vault: each save is compared with the same bytes without a vault.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

# On the disk of the project: a tmpfs writes nothing, so only the computation would be measured.
vault=$(mktemp -d "$root/.build/bench-vault.XXXXXX")
leftovers+=("$vault")
mkdir -m 700 "$vault/credentials"
head -c 32 /dev/urandom >"$vault/credentials/relativityd.vault-key"
chmod 400 "$vault/credentials/relativityd.vault-key"
{
    echo create
    seq -f 'add login-%g' 100
    echo "bench $saves"
} | "$probes/vault-probe" "$vault/data" "$vault/credentials" | sed -n 's/^ok {/{"name": "vault", /p' >"$work/lines"
record cat "$work/lines"
record "$peers/time_commands" $commands "C start, $part" "$peers/print_version"
