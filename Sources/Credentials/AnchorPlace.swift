// SPDX-License-Identifier: Apache-2.0

/// Where an anchor is kept.
package enum AnchorPlace: Sendable, Hashable, CustomStringConvertible {
    /// That of this process: out of reach of who only has the disk.
    case memory
    /// Beside the key that the provider keeps.
    case keyProvider(KeyProviderKind)
    /// On the same disk as the vault, more often than not.
    case file

    package var description: String {
        switch self {
        case .memory: "memory"
        case .keyProvider(let kind): "\(kind)"
        case .file: "file"
        }
    }
}
