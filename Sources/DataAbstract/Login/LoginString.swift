// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// What LoginEx sends: `User Id="…";Password="…";Domain="…";Schema="…"` (docs/wire.md, "Login string").
///
/// Every value stands in quotes with its own quotes doubled, and control characters are refused, so that no value can
/// end early and add a field. The password never becomes a `String`: it goes from the caller's bytes into the buffer.
public struct LoginString: Hashable, Sendable {
    /// Bytes of one field.
    public static let fieldLimit = 4096

    public let user: String
    public let domain: String
    /// Nil leaves the field out.
    public let schema: String?
    public let userKey: LoginUserKey
    /// They stand behind the others, in this order.
    public let further: [LoginStringEntry]

    /// - Throws: `badKey` if a further key comes twice, whatever its case; what is refused in every value.
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

    /// Appends the string; the buffer grows at most once, before the password goes in.
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

    /// The length of the string that `write` makes.
    public func byteCount(password: UnsafeRawBufferPointer) -> Int {
        Self.byteCount(user.utf8, userKey.rawValue) + 1 + Self.byteCount(password, Self.passwordKey)
            + behindPassword.reduce(0) { $0 + 1 + Self.byteCount($1.value.utf8, $1.key) }
    }

    /// Where the password stands in the string that `write` makes.
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

/// A further key of a login string, for servers that want more than the usual four.
public struct LoginStringEntry: Hashable, Sendable {
    /// Bytes of a key.
    public static let keyLimit = 64

    public let key: String
    public let value: String

    /// - Throws: `badKey` for a key that is empty or long, holds anything but ASCII letters, digits, spaces inside, `_`,
    ///   `-` and `.`, or is one of the usual keys; what is refused in every value.
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
    /// The database connection of a MultiDb login.
    case connection
    /// A key of the login string that is none of the others, or its value.
    case other = "further field"
}

/// The two spellings of the user's key that servers are known to take.
public enum LoginUserKey: String, Sendable, CaseIterable {
    /// As the vendor writes it.
    case userID = "User Id"
    case user = "User"
}

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

/// Why a field cannot go into a login string, or a login string cannot be read. Holds no value of a field.
public enum LoginStringError: Error, Hashable, Sendable {
    /// NUL, CR, LF or another control character (C0, DEL, C1).
    case controlCharacter(LoginField)
    case notUTF8(LoginField)
    /// More than `LoginString.fieldLimit` bytes.
    case tooLong(LoginField)
    /// A key that no login string can hold, or one that is there already.
    case badKey
    /// Not `key=value;key="value"`, or a key twice.
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
