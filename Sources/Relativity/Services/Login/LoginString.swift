// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// The parameter of LoginEx: `User Id="…";Password="…";Domain="…";Schema="…"` (docs/wire.md, "Login string").
///
/// Every value is quoted, with quotes inside it doubled, and control characters are rejected. So no value can end
/// early and inject a field. The password never becomes a `String`: it is copied from the caller's bytes into the
/// buffer.
public struct LoginString: Hashable, Sendable {
    /// Maximum length of one field in bytes.
    public static let fieldLimit = 4096

    /// The user's name at the server.
    public let user: String
    /// The domain to log in to.
    public let domain: String
    /// Nil omits the field.
    public let schema: String?
    /// The spelling of the user's key.
    public let userKey: LoginUserKey
    /// Further fields, written after the others in this order.
    public let further: [LoginStringEntry]

    /// Creates a login string.
    ///
    /// - Throws: `badKey` if two further keys are equal, ignoring case; the errors for an invalid value.
    public init(
        user: String,
        domain: String,
        schema: String?,
        userKey: LoginUserKey = .userID,
        further: [LoginStringEntry] = []
    ) throws(LoginStringError) {
        guard Set(further.map { $0.key.lowercased() }).count == further.count else { throw .badKey }
        try Self.check(user.utf8, .user)
        try Self.check(domain.utf8, .domain)
        if let schema { try Self.check(schema.utf8, .schema) }
        self.user = user
        self.domain = domain
        self.schema = schema
        self.userKey = userKey
        self.further = further
    }

    /// Appends the string. The buffer grows at most once, before the password is written.
    ///
    /// - Returns: the number of bytes written.
    @discardableResult
    public func write(password: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) throws(LoginStringError) -> Int {
        try Self.check(password, .password)
        let start = buffer.writerIndex
        buffer.reserveCapacity(minimumWritableBytes: byteCount(password: password))
        Self.write(user.utf8, userKey.rawValue, to: &buffer)
        buffer.writeStaticString(";")
        Self.write(password, Self.passwordKey, to: &buffer)
        for entry in behindPassword {
            buffer.writeStaticString(";")
            Self.write(entry.value.utf8, entry.key, to: &buffer)
        }
        return buffer.writerIndex - start
    }

    /// Returns the length of the string that `write` produces.
    public func byteCount(password: UnsafeRawBufferPointer) -> Int {
        Self.byteCount(user.utf8, userKey.rawValue) + 1 + Self.byteCount(password, Self.passwordKey)
            + behindPassword.reduce(0) { $0 + 1 + Self.byteCount($1.value.utf8, $1.key) }
    }

    /// Returns the range of the password in the string that `write` produces.
    func passwordRange(of password: UnsafeRawBufferPointer) -> Range<Int> {
        let start = Self.byteCount(user.utf8, userKey.rawValue) + 1 + Self.passwordKey.utf8.count + 2
        return start..<(start + password.count + password.count { $0 == Self.quote })
    }

    private var behindPassword: [(key: String, value: String)] {
        [("Domain", domain)] + (schema.map { [("Schema", $0)] } ?? []) + further.map { ($0.key, $0.value) }
    }

    private static let passwordKey = "Password"
    private static let quote = UInt8(ascii: "\"")

    private static func write(_ value: some Sequence<UInt8>, _ key: String, to buffer: inout ByteBuffer) {
        buffer.writeString(key)
        buffer.writeStaticString("=\"")
        for byte in value {
            if byte == quote { buffer.writeInteger(quote) }
            buffer.writeInteger(byte)
        }
        buffer.writeInteger(quote)
    }

    private static func byteCount(_ value: some Collection<UInt8>, _ key: String) -> Int {
        key.utf8.count + 3 + value.count + value.count { $0 == quote }
    }

    static func check(_ value: some Collection<UInt8>, _ field: LoginField) throws(LoginStringError) {
        guard value.count <= fieldLimit else { throw .tooLong(field) }
        var bytes = value.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .emptyInput: return
            case .error: throw .notUTF8(field)
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded).value
                guard scalar >= 0x20, !(0x7F...0x9F).contains(scalar) else { throw .controlCharacter(field) }
            }
        }
    }
}

/// An additional field of a login string, for servers that need more than the usual four.
public struct LoginStringEntry: Hashable, Sendable {
    /// Maximum length of a key in bytes.
    public static let keyLimit = 64

    /// The name of the field.
    public let key: String
    /// The value, unquoted.
    public let value: String

    /// Creates a field.
    ///
    /// - Throws: `badKey` if the key is empty, longer than 64 bytes, contains characters other than ASCII letters,
    ///   digits, inner spaces, `_`, `-` and `.`, or is one of the usual keys; the errors for an invalid value.
    public init(key: String, value: String) throws(LoginStringError) {
        guard (1...Self.keyLimit).contains(key.utf8.count), key.utf8.allSatisfy(Self.isKeyByte), !key.hasPrefix(" "),
            !key.hasSuffix(" "), LoginStringParser.keys[key.lowercased()] == nil
        else { throw .badKey }
        try LoginString.check(value.utf8, .other)
        self.key = key
        self.value = value
    }

    private static func isKeyByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: " _-.".utf8.contains(byte)
        }
    }
}

/// The parts of a login.
public enum LoginField: String, Sendable, CaseIterable {
    case user
    case password
    case domain
    case schema
    /// Any other key of the login string, or its value.
    case other = "further field"
}

/// The two spellings of the user's key that servers are known to accept.
public enum LoginUserKey: String, Sendable, CaseIterable {
    /// The vendor's spelling.
    case userID = "User Id"
    case user = "User"
}

/// Parses a login string as a server does: keys in any case and any order, values quoted or bare.
package struct LoginStringParser {
    /// The fields of a login string. The password is kept as bytes.
    package struct Fields: Sendable {
        /// The user's name at the server; nil if the field is missing, as for the following fields.
        package var user: String?
        /// The domain to log in to.
        package var domain: String?
        /// The schema to log in with.
        package var schema: String?
        /// The password, unquoted.
        package var password: [UInt8]?
        /// All other keys, spelled as in the string.
        package var further: [String: [UInt8]] = [:]

        /// Creates fields without schema and further keys.
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

    /// Parses a login string.
    ///
    /// - Throws: `unreadable`, also if a known key occurs twice. If an unknown key occurs twice, the last value is
    ///   used.
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
            case .password, .other: break
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

    /// Reads a value up to the next semicolon, or a quoted value, in which two quotes stand for one.
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

/// The reason why a field cannot be part of a login string, or why a login string cannot be parsed. Contains no field
/// value.
public enum LoginStringError: Error, Hashable, Sendable {
    /// NUL, CR, LF or another control character (C0, DEL, C1).
    case controlCharacter(LoginField)
    case notUTF8(LoginField)
    /// More than `LoginString.fieldLimit` bytes.
    case tooLong(LoginField)
    /// A key that is invalid or already present.
    case badKey
    /// Not of the form `key=value;key="value"`, or a repeated key.
    case unreadable
}

extension LoginStringError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .controlCharacter(let field): "the \(field.rawValue) holds a control character"
        case .notUTF8(let field): "the \(field.rawValue) is not UTF-8"
        case .tooLong(let field): "the \(field.rawValue) is longer than \(LoginString.fieldLimit) bytes"
        case .badKey: "a further key of the login string is not possible, or there already"
        case .unreadable: "unreadable login string"
        }
    }
}
