// SPDX-License-Identifier: Apache-2.0

/// What the encrypted part of a vault holds, decoded. Passwords in it are still sealed.
struct VaultPayload: Sendable, Hashable {
    var entries: [VaultEntry] = []
    var pins: [PinnedEndpoint] = []
    var settings: [VaultSetting] = []
    var grants: [VaultGrant] = []

    /// The minor version of the format that holds all of it.
    var minor: UInt16 { (entries.map(\.minor) + pins.map(\.minor)).max() ?? 0 }

    func entry(named name: String) -> VaultEntry? {
        entries.first { $0.name == name }
    }
}
