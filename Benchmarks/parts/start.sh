#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The start of relctl.
# shellcheck source=Benchmarks/common.sh
source "$(dirname "$0")/../common.sh"

start_daemon 1
record on_host "$peers/time_commands" $commands "relctl --version" relctl --version -- "C start, $part" "$peers/print_version"
