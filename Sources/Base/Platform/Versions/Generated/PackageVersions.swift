// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by scripts/generate.sh from scripts/packages.txt and the sources of swift-nio-ssl. Run `make generate`.

/// The packages that a release is built with.
enum PackageVersions {
    static let packages = [
        "swift-argument-parser": "1.8.2",
        "swift-atomics": "1.3.0",
        "swift-collections": "1.6.0",
        "swift-log": "1.16.2",
        "swift-nio": "2.101.2",
        "swift-nio-ssl": "2.37.6",
        "swift-system": "1.8.1",
    ]

    /// The commit of BoringSSL in swift-nio-ssl.
    static let boringSSL = "8eb25be6fa18d475291122887a7bccd3762ff236"
}
