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
