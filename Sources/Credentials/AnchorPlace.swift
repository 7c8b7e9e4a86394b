// SPDX-License-Identifier: Apache-2.0

/// A location in which an anchor is stored.
package enum AnchorPlace: Sendable, Hashable, CustomStringConvertible {
    /// The memory of this process, out of reach of an attacker who has only the disk.
    case memory
    /// The key provider, next to the vault's key.
    case keyProvider(KeyProviderKind)
    /// The anchor file, usually on the same disk as the vault.
    case file

    /// The name of the location in status.
    package var description: String {
        switch self {
        case .memory: "memory"
        case .keyProvider(let kind): "\(kind)"
        case .file: "file"
        }
    }
}
