// SPDX-License-Identifier: Apache-2.0

/// One more key of a login string, for a server that wants more than the usual four.
///
/// The value is kept as user, domain and schema are: in the vault's encryption, without a seal of its own. Nothing prints it
/// all the same, since nobody but the server knows what it means.
package struct LoginExtra: Sendable, Hashable {
    /// Of one login.
    package static let limit = 16
    package static let keyBytes = 64
    package static let valueBytes = 1024
    /// Keys that are not extra, in lower case.
    private static let usual: Set = ["user id", "userid", "user", "password", "domain", "schema"]

    package let key: String
    package let value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }

    /// Takes what is given for a key into the place of what there is; an empty value takes the key away. Keys are compared
    /// without case.
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

    /// - Throws: `CredentialError.invalid` unless a login can have these extras. It repeats none of their texts.
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
    /// The value of the field: for each its key and its value, both as u16 length and bytes.
    static func encoded(_ extras: [LoginExtra]) -> [UInt8] {
        var writer = ByteWriter()
        for text in extras.flatMap({ [$0.key, $0.value] }) {
            writer.append(UInt16(truncatingIfNeeded: text.utf8.count))
            writer.append(text.utf8)
        }
        return writer.bytes
    }

    /// Reads what `encoded` writes of 1 to 16; nil for all else.
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
