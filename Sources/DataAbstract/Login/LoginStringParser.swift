// SPDX-License-Identifier: Apache-2.0

/// Reads a login string as a server does: keys without regard to case, values quoted or bare, in any order.
package struct LoginStringParser {
    /// The user, domain and schema that a client asks for; the password stays in bytes.
    package struct Fields: Sendable {
        package var user: String?
        package var domain: String?
        package var schema: String?
        package var password: [UInt8]?
        /// Every other key as it was written.
        package var further: [String: [UInt8]] = [:]

        package init(user: String? = nil, domain: String? = nil, password: [UInt8]? = nil) {
            self.user = user
            self.domain = domain
            self.password = password
        }
    }

    private static let quote = UInt8(ascii: "\"")
    static let keys: [String: LoginField] = [
        "user id": .user, "userid": .user, "user": .user, "password": .password, "domain": .domain, "schema": .schema,
    ]

    private var rest: ArraySlice<UInt8>

    /// - Throws: `unreadable`, also for a known key twice; of an unknown one the last counts.
    package static func parse(_ text: some Sequence<UInt8>) throws(LoginStringError) -> Fields {
        var parser = LoginStringParser(rest: Array(text)[...])
        var fields = Fields()
        var seen: Set<LoginField> = []
        while !parser.rest.isEmpty {
            let key = try parser.key()
            let value = try parser.value()
            guard let field = keys[key.lowercased()] else {
                fields.further[key] = value
                continue
            }
            guard seen.insert(field).inserted else { throw .unreadable }
            guard field != .password else {
                fields.password = value
                continue
            }
            guard let text = String(validating: value, as: UTF8.self) else { throw .notUTF8(field) }
            switch field {
            case .user: fields.user = text
            case .domain: fields.domain = text
            case .schema: fields.schema = text
            case .password, .connection, .other: break
            }
        }
        return fields
    }

    private mutating func key() throws(LoginStringError) -> String {
        guard let end = rest.firstIndex(of: UInt8(ascii: "=")) else { throw .unreadable }
        let key = rest[..<end]
        rest = rest[(end + 1)...]
        return String(decoding: key.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    }

    /// A value up to the next semicolon, or between quotes, where two of them stand for one.
    private mutating func value() throws(LoginStringError) -> [UInt8] {
        guard rest.first == Self.quote else {
            let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
            defer { rest = rest[end...].dropFirst() }
            return Array(rest[..<end])
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == Self.quote else {
                value.append(byte)
                continue
            }
            if rest.first == Self.quote {
                rest = rest.dropFirst()
                value.append(byte)
                continue
            }
            guard rest.isEmpty || rest.popFirst() == UInt8(ascii: ";") else { throw .unreadable }
            return value
        }
        throw .unreadable
    }
}
