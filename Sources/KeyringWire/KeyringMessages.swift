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

/// What the helper is asked for.
package enum KeyringVerb: UInt8, Sendable, CaseIterable {
    /// Whether an item can be stored, read back and removed.
    case probe = 1
    /// Keeps the bytes that follow the question, in the place of those of the same item.
    case store = 2
    case lookup = 3
    /// Not an error if there is nothing.
    case delete = 4
}

/// What the keyring holds for a vault: one item of each kind at most.
package enum KeyringItem: UInt8, Sendable, CaseIterable {
    /// The 32 bytes that open the vault's key slot.
    case key = 1
    /// What tells the newest file of the vault from an older one; not secret.
    case anchor = 2
    /// Of no use, and there for a moment only.
    case probe = 3

    /// The item's attribute of that name, and part of the label that keyring programs show.
    package var name: String {
        switch self {
        case .key: "key"
        case .anchor: "anchor"
        case .probe: "probe"
        }
    }

    /// The most bytes that an item may have.
    package static let maximumByteCount = 1_024
}

/// The start of one reply on the helper's standard output. The last one is `done` or `failed`.
package enum KeyringReply: Sendable, Equatable {
    package static let byteCount = 4
    package static let maximumDetailByteCount = 256

    /// The keyring's program is asking a person now; nothing follows.
    case asking
    /// What was looked up follows, else nothing.
    case done(byteCount: Int)
    /// What the other side said follows: text of a stranger.
    case failed(KeyringFailure, detailByteCount: Int)

    /// - Returns: nil if these bytes begin no reply that this version understands.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        let count = Int(bytes[2]) | Int(bytes[3]) << 8
        switch (bytes[0], KeyringFailure(rawValue: bytes[1])) {
        case (1, nil) where bytes[1] == 0 && count == 0: self = .asking
        case (2, nil) where bytes[1] == 0 && count <= KeyringItem.maximumByteCount: self = .done(byteCount: count)
        case (3, let failure?) where count <= Self.maximumDetailByteCount:
            self = .failed(failure, detailByteCount: count)
        default: return nil
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .asking: [1, 0, 0, 0]
        case .done(let count): [2, 0, UInt8(count & 0xFF), UInt8(count >> 8)]
        case .failed(let failure, let count): [3, failure.rawValue, UInt8(count & 0xFF), UInt8(count >> 8)]
        }
    }
}

/// Why the helper could not do what it was asked.
package enum KeyringFailure: UInt8, Sendable, CaseIterable {
    case noBus = 1
    case noService = 2
    case locked = 3
    /// A person did not give the keyring's password.
    case dismissed = 4
    case notFound = 5
    /// Several items have the attributes of ours; none of them is chosen.
    case duplicates = 6
    case noDefaultCollection = 7
    /// The default collection is the one that is forgotten at the end of the session.
    case sessionCollection = 8
    /// Secrets would cross the bus in the open.
    case plainSession = 9
    /// What was read after storing is not what was stored.
    case notKept = 10
    case vanished = 11
    case noAnswer = 12
    /// The item is larger than any of ours.
    case tooLarge = 13
    /// An error of the other side that is none of the above.
    case refused = 14
    /// The daemon and the helper are of different versions.
    case badQuestion = 15
    /// The helper could not harden itself or had no memory for the secret.
    case helper = 16
}
