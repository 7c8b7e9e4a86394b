// SPDX-License-Identifier: Apache-2.0

/// The names of a server's services; the defaults are Relativity's (docs/wire.md, "Services").
package struct ServiceNames: Sendable, Hashable {
    /// The name of the data service.
    package var data: String
    /// The name of the login service.
    package var login: String

    /// The default names of Relativity.
    package static let relativity = ServiceNames(data: "DataService", login: "LoginService")

    /// Names that are not checked. Use `isValid(_:)` before.
    package init(data: String, login: String) {
        self.data = data
        self.login = login
    }

    /// Whether a service name is valid on the wire: 1 to 128 ASCII letters, digits, `_` and `.`.
    package static func isValid(_ name: String) -> Bool {
        (1...128).contains(name.utf8.count) && ASCII.isWord(name, marks: "_.")
    }
}

/// The permanent ID of an endpoint. It is not an address: a server that moves keeps its ID.
package struct EndpointID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Lower-case ASCII letters, digits and `-`, 1 to 64 of them.
    package let text: String

    /// - Returns: nil if the text has other characters or another length.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-")
        }
        guard isPlain, (1...64).contains(text.utf8.count) else { return nil }
        self.text = text
    }

    /// The ID itself.
    package var description: String { text }

    /// Hashes the bytes, because `String` would first normalise the text.
    package func hash(into hasher: inout Hasher) {
        text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// The names that a user may give to a server.
package enum EndpointName {
    private static let lengths = 1...63

    /// Whether `name` is 1 to 63 bytes of printable text that does not look like an option and does not begin or end
    /// with a space.
    package static func isValid(_ name: String) -> Bool {
        lengths.contains(name.utf8.count) && !name.hasPrefix("-") && !name.hasPrefix(" ") && !name.hasSuffix(" ")
            && Printable(name).description == name
    }
}
