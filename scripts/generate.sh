#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes the Swift code that is made of the interface descriptions. A test holds the files to the descriptions.
set -euo pipefail

cd "$(dirname "$0")/.."
swift build --product varlink-generate
generate=$(swift build --show-bin-path)/varlink-generate

# types INTERFACE-FILE NAMESPACE DIRECTORY [OPTION...]
types() {
    local definition=$1 namespace=$2 directory=$3
    shift 3
    mkdir -p "$directory"
    "$generate" types --namespace "$namespace" "$@" < "$definition" > "$directory/$namespace.swift.new"
    mv "$directory/$namespace.swift.new" "$directory/$namespace.swift"
}

# server INTERFACE-FILE NAMESPACE DIRECTORY [OPTION...]
server() {
    local definition=$1 namespace=$2 directory=$3
    shift 3
    mkdir -p "$directory"
    "$generate" server --namespace "$namespace" "$@" < "$definition" > "$directory/${namespace}Server.swift.new"
    mv "$directory/${namespace}Server.swift.new" "$directory/${namespace}Server.swift"
}

types Tests/Interfaces/org.example.press.varlink PressAPI Tests/VarlinkTests/Generated --access internal
server Tests/Interfaces/org.example.press.varlink PressAPI Tests/VarlinkTests/Generated

for interface in Manager Registry Credentials Broker Audit; do
    types "Sources/LocalAPI/Interfaces/org.relativityd.$interface.varlink" "${interface}API" Sources/LocalAPI/Generated
    server "Sources/LocalAPI/Interfaces/org.relativityd.$interface.varlink" "${interface}API" \
        Sources/LocalAPIServer/Generated --module LocalAPI
done
