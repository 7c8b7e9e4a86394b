#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Generates the Swift code for the interface descriptions, and the versions of the packages. Tests compare the files with
# their sources.
set -euo pipefail

cd "$(dirname "$0")/.."
swift build --product varlink-generate
program=$(swift build --show-bin-path)/varlink-generate

# generate WHAT DEFINITION NAMESPACE FILE [OPTION...]: WHAT is types or server.
generate() {
    local what=$1 definition=$2 namespace=$3 file=$4
    shift 4
    mkdir -p "$(dirname "$file")"
    "$program" "$what" --namespace "$namespace" "$@" < "$definition" > "$file.new"
    mv "$file.new" "$file"
}

service=Sources/Varlink/Varlink/Interfaces/org.varlink.service.varlink
generate types $service ServiceAPI Sources/Varlink/Varlink/Generated/ServiceAPI.swift --in Varlink
"$program" errors --name ServiceError --in Varlink ServiceAPI=$service > Sources/Varlink/Varlink/Generated/ServiceError.swift
generate server $service ServiceAPI Sources/Varlink/VarlinkService/Generated/ServiceAPIServer.swift --in VarlinkService

press=Tests/Interfaces/org.example.press.varlink
generate types $press PressAPI Tests/VarlinkTests/Generated/PressAPI.swift --access internal
generate server $press PressAPI Tests/VarlinkTests/Generated/PressAPIServer.swift

"$program" errors --name PressError --access internal PressAPI=$press > Tests/VarlinkTests/Generated/PressError.swift

# Types that modules of the daemon use too are in Endpoints, under the names of this list.
shared=(--shared scripts/shared-types.txt)
errors=()
all=()
for interface in Manager Registry Credentials Broker Audit Adapters; do
    definition=Sources/API/LocalAPI/Interfaces/org.relativityd.$interface.varlink
    api=${interface}API
    generate types "$definition" "$api" "Sources/API/LocalAPI/Generated/$api.swift" \
        "${shared[@]}" --shared-module Endpoints
    all+=("$api=$definition")
    generate server "$definition" "$api" "Sources/API/LocalAPIServer/Generated/${api}Server.swift" --module LocalAPI
    # Adapters declares no errors: those of Broker are its errors too.
    [ "$interface" = Adapters ] || errors+=("$api=$definition")
done
"$program" shared "${shared[@]}" "${all[@]}" > Sources/Base/Endpoints/Generated/SharedTypes.swift
"$program" errors --name DaemonError "${errors[@]}" > Sources/API/LocalAPI/Generated/DaemonError.swift

# Served by the helper for data, with errors of its own.
data=Sources/API/LocalAPI/Interfaces/org.relativityd.Data.varlink
generate types $data DataAPI Sources/API/LocalAPI/Generated/DataAPI.swift
generate server $data DataAPI Sources/Programs/relativityd-data/Generated/DataAPIServer.swift --module LocalAPI
"$program" errors --name DataError DataAPI=$data > Sources/API/LocalAPI/Generated/DataError.swift

# The versions that `--version` prints. Without these commands a new list of packages would leave them as they were.
packages=Sources/Base/Platform/Versions/Generated/PackageVersions.swift
boringssl=$(sed -n 's|^// BoringSSL Commit: ||p' .build/checkouts/swift-nio-ssl/Package.swift)
{
    cat <<'END'
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by scripts/generate.sh from scripts/packages.txt and the sources of swift-nio-ssl. Run `make generate`.

/// The packages that a release is built with.
enum PackageVersions {
    /// The version of a package; nil for an unknown one. (A dictionary would be built at each start.)
    static func version(of package: String) -> String? {
        switch package {
END
    while read -r address version; do
        printf '        case "%s": "%s"\n' "${address##*/}" "$version"
    done <scripts/packages.txt
    cat <<END
        default: nil
        }
    }

    /// The commit of BoringSSL in swift-nio-ssl.
    static let boringSSL = "$boringssl"
}
END
} >$packages.new
mv $packages.new $packages
