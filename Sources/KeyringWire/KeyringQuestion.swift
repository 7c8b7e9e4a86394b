// SPDX-License-Identifier: Apache-2.0

/// The one question of a run of the helper, as it stands at the start of its standard input. The bytes to store follow
/// it, so that they are never anywhere but in memory for secrets.
package struct KeyringQuestion: Sendable, Equatable {
    package static let byteCount = 22
    package static let storeIDByteCount = 16
    private static let version: UInt8 = 1

    package let verb: KeyringVerb
    package let item: KeyringItem
    /// Whether the keyring's program may ask a person for its password. Without it, nobody is disturbed.
    package let mayAsk: Bool
    /// 16 bytes, those of the vault.
    package let storeID: [UInt8]
    /// How many bytes follow; 0 for all verbs but `store`.
    package let bodyByteCount: Int

    package init(_ verb: KeyringVerb, _ item: KeyringItem, of storeID: [UInt8], mayAsk: Bool, bodyByteCount: Int = 0) {
        precondition(storeID.count == Self.storeIDByteCount && bodyByteCount <= KeyringItem.maximumByteCount)
        self.verb = verb
        self.item = item
        self.mayAsk = mayAsk
        self.storeID = storeID
        self.bodyByteCount = bodyByteCount
    }

    /// - Returns: nil if these bytes are no question that this version understands.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.version, bytes[3] <= 1,
            let verb = KeyringVerb(rawValue: bytes[1]), let item = KeyringItem(rawValue: bytes[2])
        else { return nil }
        let count = Int(bytes[4]) | Int(bytes[5]) << 8
        guard verb == .store ? (1...KeyringItem.maximumByteCount).contains(count) : count == 0 else { return nil }
        self.init(verb, item, of: Array(bytes[6...]), mayAsk: bytes[3] == 1, bodyByteCount: count)
    }

    package var bytes: [UInt8] {
        [
            Self.version, verb.rawValue, item.rawValue, mayAsk ? 1 : 0, UInt8(bodyByteCount & 0xFF),
            UInt8(bodyByteCount >> 8),
        ] + storeID
    }
}
