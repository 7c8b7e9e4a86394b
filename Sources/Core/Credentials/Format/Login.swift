// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Platform

/// The account of a login: the parts of the login string, without the password.
package struct Account: Sendable, Hashable {
    /// The user name.
    package var user: String
    /// The domain; may be empty.
    package var domain: String
    /// The schema; may be empty.
    package var schema: String
    /// The key of the user name in the login string.
    package var userKey: UserKey
    /// Additional keys of the login string, at most `LoginExtra.limit`.
    package var extras: [LoginExtra]

    /// Makes an account from its parts.
    package init(
        user: String,
        domain: String,
        schema: String,
        userKey: UserKey = .userID,
        extras: [LoginExtra] = []
    ) {
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.extras = extras
    }
}

/// A login without its secrets, so that it can be shown.
package struct Login: Sendable, Hashable {
    /// The ID, which never changes.
    package let id: LoginID
    /// Unique among the logins of one origin. If both origins have the name, it means the configured login.
    package let name: String
    /// The owner of the login.
    package let origin: LoginOrigin
    /// The user and the other parts of the login string.
    package let account: Account
    /// The command that prints the password; nil if the password is stored.
    package let command: PasswordCommand?
    /// The endpoint that the password is for, with the identity that it must show and the permissions.
    package let pinned: PinnedEndpoint
    /// Seconds since 1970.
    package let created: UInt64
    /// Days since 1970; 0 if the login was never used.
    package let lastUsedDay: UInt32
    /// Increases by one each time the secrets are sealed again.
    package let revision: UInt64

    /// The endpoint that the password is for.
    package var endpoint: EndpointID { pinned.endpoint }
    /// The identity that the endpoint must show before the password is used.
    package var pin: Pin { pinned.pin }
}

/// The permanent ID of a login, independent of its name: 16 random bytes.
package struct LoginID: Sendable, Hashable, CustomStringConvertible {
    static let byteCount = 16
    let bytes: [UInt8]

    /// Parses an ID.
    ///
    /// - Parameter text: 32 hexadecimal digits.
    package init?(_ text: String) {
        guard let bytes = HexText.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    init(random: any RandomSource) throws(PlatformError) {
        bytes = try random.bytes(16)
    }

    /// The ID as 32 hexadecimal digits.
    package var description: String { HexText.encode(bytes) }
}

/// The owner of a login, and the place where it is stored.
package enum LoginOrigin: String, Sendable, Hashable {
    /// The user stored it in the vault.
    case vault
    /// The administrator of the machine configured it in a file of the credentials directory. It is read-only and
    /// needs no vault.
    case configured
}

/// The key of the user name in a login string (docs/wire.md, "Login string").
package enum UserKey: String, Sendable, Hashable, CaseIterable {
    /// `User Id`, the usual key.
    case userID = "User Id"
    /// `User`.
    case user = "User"
}

/// An additional key of a login string, for a server that needs more than the usual four.
///
/// The value is stored like user, domain and schema: encrypted with the payload, without a seal of its own. It is
/// never printed anyway, because only the server knows its meaning.
package struct LoginExtra: Sendable, Hashable {
    /// The maximum number of extra keys of one login.
    package static let limit = 16
    /// The maximum length of a key.
    package static let keyBytes = 64
    /// The maximum length of a value.
    package static let valueBytes = 1024
    /// Keys that the login string has anyway, in lower case.
    private static let usual: Set = ["user id", "userid", "user", "password", "domain", "schema"]

    /// The key as the login string contains it.
    package let key: String
    /// The value of the key.
    package let value: String

    /// Makes an extra key. Call `check` before storing it.
    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// Merges new extras into old ones. A new value replaces the old one of the same key, and an empty value removes
    /// the key. Keys are compared without case.
    package static func merged(_ old: [LoginExtra], _ new: [LoginExtra]) -> [LoginExtra] {
        new.reduce(into: old) { extras, extra in
            let place = extras.firstIndex { $0.key.lowercased() == extra.key.lowercased() }
            switch (place, extra.value.isEmpty) {
            case (let place?, true): extras.remove(at: place)
            case (let place?, false): extras[place] = extra
            case (nil, true): break
            case (nil, false): extras.append(extra)
            }
        }
    }

    /// Checks whether a login can have these extras.
    ///
    /// - Throws: `CredentialError.invalid` if it cannot. The error quotes none of their texts.
    static func check(_ extras: [LoginExtra]) throws(CredentialError) {
        guard extras.count <= limit else {
            throw .invalid(field: "the login", reason: "has more than \(limit) extra keys")
        }
        guard hasEachKeyOnce(extras) else { throw .invalid(field: "an extra key", reason: "occurs twice") }
        for extra in extras {
            guard isKey(extra.key), !extra.key.hasPrefix(" "), !extra.key.hasSuffix(" ") else {
                let reason = "is not 1 to \(keyBytes) letters, digits, inner spaces, '_', '-' and '.'"
                throw .invalid(field: "an extra key", reason: reason)
            }
            guard !usual.contains(extra.key.lowercased()) else {
                throw .invalid(field: "an extra key", reason: "has an option of its own")
            }
            guard (1...valueBytes).contains(extra.value.utf8.count) else {
                let reason = "is not 1 to \(valueBytes) bytes"
                throw .invalid(field: "the value of an extra key", reason: reason)
            }
            guard extra.value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                throw .invalid(field: "the value of an extra key", reason: "contains a control character")
            }
        }
    }

    private static func hasEachKeyOnce(_ extras: [LoginExtra]) -> Bool {
        Set(extras.map { $0.key.lowercased() }).count == extras.count
    }

    private static func isKey(_ key: String) -> Bool {
        (1...keyBytes).contains(key.utf8.count) && ASCII.isWord(key, marks: " _-.")
    }
}

extension LoginExtra {
    /// Encodes the value of the field: for each extra its key and its value, both as u16 length and bytes.
    static func encoded(_ extras: [LoginExtra]) -> [UInt8] {
        var writer = ByteWriter()
        for text in extras.flatMap({ [$0.key, $0.value] }) {
            writer.append(UInt16(truncatingIfNeeded: text.utf8.count))
            writer.append(text.utf8)
        }
        return writer.bytes
    }

    /// Parses the output of `encoded` for 1 to 16 extras; nil for any other input.
    static func parse(_ bytes: UnsafeRawBufferPointer) -> [LoginExtra]? {
        var reader = ByteReader(bytes)
        func text(_ limit: Int) -> String? {
            guard let bytes = reader.counted(UInt16.self, limit: limit), !bytes.isEmpty else { return nil }
            return String(validating: bytes, as: UTF8.self)
        }
        var extras: [LoginExtra] = []
        while !reader.isAtEnd {
            guard extras.count < limit, let key = text(keyBytes), isKey(key), let value = text(valueBytes) else {
                return nil
            }
            extras.append(LoginExtra(key: key, value: value))
        }
        return extras.isEmpty || !hasEachKeyOnce(extras) ? nil : extras
    }
}
