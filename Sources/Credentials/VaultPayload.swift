// SPDX-License-Identifier: Apache-2.0

/// The decoded payload of a vault. The passwords in it are still sealed.
struct VaultPayload: Sendable, Hashable {
    var entries: [VaultEntry] = []
    var pins: [PinnedEndpoint] = []
    var settings: [VaultSetting] = []
    var grants: [VaultGrant] = []

    /// The lowest minor version of the format that can store the payload.
    var minor: UInt16 { (entries.map(\.minor) + pins.map(\.minor)).max() ?? 0 }

    func entry(named name: String) -> VaultEntry? {
        entries.first { $0.name == name }
    }
}
