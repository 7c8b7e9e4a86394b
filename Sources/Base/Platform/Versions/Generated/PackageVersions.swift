// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by scripts/generate.sh from scripts/packages.txt and the sources of swift-nio-ssl. Run `make generate`.

/// The packages that a release is built with.
enum PackageVersions {
    /// The version of a package; nil for an unknown one. (A dictionary would be built at each start.)
    static func version(of package: String) -> String? {
        switch package {
        case "swift-argument-parser": "1.8.2"
        case "swift-atomics": "1.3.0"
        case "swift-collections": "1.6.0"
        case "swift-log": "1.16.2"
        case "swift-nio": "2.101.2"
        case "swift-nio-ssl": "2.37.6"
        case "swift-system": "1.8.1"
        default: nil
        }
    }

    /// The commit of BoringSSL in swift-nio-ssl.
    static let boringSSL = "8eb25be6fa18d475291122887a7bccd3762ff236"
}
