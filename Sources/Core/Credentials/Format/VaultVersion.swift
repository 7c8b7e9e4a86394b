// SPDX-License-Identifier: Apache-2.0

/// The version of a vault's file. A writer gives each file the lowest one that can store its content, so that earlier
/// programs can use the file too.
struct VaultVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    let major: UInt16
    let minor: UInt16

    static let oldest = VaultVersion(1, 0)
    /// The newest version that this program writes.
    static let newest = VaultVersion(2, 0)
    /// The newest minor version that this program knows of format 1.
    private static let newestMinorOfFirst: UInt16 = 2

    init(_ major: UInt16, _ minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    /// Whether a later program wrote the file, with content that this one skips. It reads such a file, but never writes
    /// it.
    var isPartlyKnown: Bool { minor > (major < Self.newest.major ? Self.newestMinorOfFirst : Self.newest.minor) }

    var description: String { "\(major).\(minor)" }

    static func < (left: VaultVersion, right: VaultVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }
}

extension CredentialError {
    static func tooNew(_ version: VaultVersion) -> CredentialError {
        .versionTooNew(major: Int(version.major), minor: Int(version.minor))
    }
}
