// SPDX-License-Identifier: Apache-2.0

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
        guard hasEachKeyOnce(extras) else { throw .invalid(field: "an extra key", reason: "is there twice") }
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
        (1...keyBytes).contains(key.utf8.count)
            && key.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: " _-.".utf8.contains(byte)
                }
            }
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
