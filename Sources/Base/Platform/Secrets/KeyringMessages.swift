// SPDX-License-Identifier: Apache-2.0

/// The request that the helper reads from the start of its standard input; one for each run. The bytes to store
/// follow it separately, so that they only ever exist in memory for secrets.
package struct KeyringQuestion: Sendable, Equatable {
    /// The encoded size.
    package static let byteCount = 22
    /// The size of `storeID`.
    package static let storeIDByteCount = 16
    private static let version: UInt8 = 1

    /// The requested operation.
    package let verb: KeyringVerb
    /// The item that it applies to.
    package let item: KeyringItem
    /// Whether the keyring's program may prompt the user for its password. If false, the user is never prompted.
    package let mayAsk: Bool
    /// The ID of the vault, 16 bytes.
    package let storeID: [UInt8]
    /// The number of bytes that follow; 0 except for `store`.
    package let bodyByteCount: Int

    /// Creates a request. `storeID` must have 16 bytes, and `bodyByteCount` must not exceed the maximum size of an
    /// item.
    package init(_ verb: KeyringVerb, _ item: KeyringItem, of storeID: [UInt8], mayAsk: Bool, bodyByteCount: Int = 0) {
        precondition(storeID.count == Self.storeIDByteCount && bodyByteCount <= KeyringItem.maximumByteCount)
        self.verb = verb
        self.item = item
        self.mayAsk = mayAsk
        self.storeID = storeID
        self.bodyByteCount = bodyByteCount
    }

    /// Decodes a request.
    ///
    /// - Returns: nil if the bytes are not a request that this version supports.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.version, bytes[3] <= 1,
            let verb = KeyringVerb(rawValue: bytes[1]), let item = KeyringItem(rawValue: bytes[2])
        else { return nil }
        let count = Int(bytes[4]) | Int(bytes[5]) << 8
        guard verb == .store ? (1...KeyringItem.maximumByteCount).contains(count) : count == 0 else { return nil }
        self.init(verb, item, of: Array(bytes[6...]), mayAsk: bytes[3] == 1, bodyByteCount: count)
    }

    /// The encoded request.
    package var bytes: [UInt8] {
        [
            Self.version, verb.rawValue, item.rawValue, mayAsk ? 1 : 0, UInt8(bodyByteCount & 0xFF),
            UInt8(bodyByteCount >> 8),
        ] + storeID
    }
}

/// Operations of the helper.
package enum KeyringVerb: UInt8, Sendable, CaseIterable {
    /// Checks that an item can be stored, read back and removed.
    case probe = 1
    /// Stores the bytes that follow the request, replacing those of the same item.
    case store = 2
    /// Returns the bytes of an item.
    case lookup = 3
    /// Removes an item. Succeeds also if there is none.
    case delete = 4
}

/// Items in the keyring: at most one of each kind for a vault.
package enum KeyringItem: UInt8, Sendable, CaseIterable {
    /// The 32 bytes that open the vault's key slot.
    case key = 1
    /// The record that distinguishes the newest vault file from older ones; not secret.
    case anchor = 2
    /// A temporary item for `probe`.
    case probe = 3

    /// The value of the attribute `item`, and part of the label that keyring programs show.
    package var name: String {
        switch self {
        case .key: "key"
        case .anchor: "anchor"
        case .probe: "probe"
        }
    }

    /// The maximum size of an item in bytes.
    package static let maximumByteCount = 1_024
}

/// The header of a reply on the helper's standard output. The last reply is `done` or `failed`.
package enum KeyringReply: Sendable, Equatable {
    /// The encoded size of the header.
    package static let byteCount = 4
    /// The maximum size of the text after `failed`.
    package static let maximumDetailByteCount = 256

    /// The keyring's program is prompting the user; nothing follows.
    case asking
    /// The result of `lookup` follows; for other operations nothing follows.
    case done(byteCount: Int)
    /// The error text of the Secret Service follows. It is untrusted.
    case failed(KeyringFailure, detailByteCount: Int)

    /// Decodes a header.
    ///
    /// - Returns: nil if the bytes are not a reply that this version supports.
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

    /// The encoded header.
    package var bytes: [UInt8] {
        switch self {
        case .asking: [1, 0, 0, 0]
        case .done(let count): [2, 0, UInt8(count & 0xFF), UInt8(count >> 8)]
        case .failed(let failure, let count): [3, failure.rawValue, UInt8(count & 0xFF), UInt8(count >> 8)]
        }
    }
}

/// Reasons why the helper failed.
package enum KeyringFailure: UInt8, Sendable, CaseIterable {
    /// There is no session bus.
    case noBus = 1
    /// The Secret Service is not running and cannot be started.
    case noService = 2
    /// The keyring is locked, and could not be unlocked or the user must not be prompted.
    case locked = 3
    /// The user did not enter the keyring's password.
    case dismissed = 4
    /// There is no such item.
    case notFound = 5
    /// Several items have the same attributes; none of them is used.
    case duplicates = 6
    /// The keyring has no default collection.
    case noDefaultCollection = 7
    /// The default collection is the one that is deleted at the end of the session.
    case sessionCollection = 8
    /// Secrets would cross the bus unencrypted.
    case plainSession = 9
    /// The bytes read back differ from the stored ones, or an item could not be removed.
    case notKept = 10
    /// The Secret Service has exited or disconnected.
    case vanished = 11
    /// The Secret Service did not answer in time.
    case noAnswer = 12
    /// The item is larger than any that the daemon stores.
    case tooLarge = 13
    /// Any other error of the Secret Service.
    case refused = 14
    /// Daemon and helper have different versions.
    case badQuestion = 15
    /// The helper could not harden itself, or could not allocate memory for the secret.
    case helper = 16
}
