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

    public init(user: String, domain: String, schema: String?) throws(LoginStringError) {
        try Self.check(user.utf8, .user)
        try Self.check(domain.utf8, .domain)
        if let schema { try Self.check(schema.utf8, .schema) }
        self.user = user
        self.domain = domain
        self.schema = schema
    }

    /// Appends the string; the buffer grows at most once, before the password goes in.
    ///
    /// - Returns: the number of bytes written.
    @discardableResult
    public func write(password: UnsafeRawBufferPointer, to buffer: inout ByteBuffer) throws(LoginStringError) -> Int {
        try Self.check(password, .password)
        let start = buffer.writerIndex
        buffer.reserveCapacity(minimumWritableBytes: byteCount(password: password))
        Self.write(user.utf8, .user, to: &buffer)
        buffer.writeStaticString(";")
        Self.write(password, .password, to: &buffer)
        buffer.writeStaticString(";")
        Self.write(domain.utf8, .domain, to: &buffer)
        if let schema {
            buffer.writeStaticString(";")
            Self.write(schema.utf8, .schema, to: &buffer)
        }
        return buffer.writerIndex - start
    }

    /// The length of the string that `write` makes.
    public func byteCount(password: UnsafeRawBufferPointer) -> Int {
        Self.byteCount(user.utf8, .user) + 1 + Self.byteCount(password, .password) + 1
            + Self.byteCount(domain.utf8, .domain) + (schema.map { 1 + Self.byteCount($0.utf8, .schema) } ?? 0)
    }

    /// Where the password stands in the string that `write` makes.
    func passwordRange(of password: UnsafeRawBufferPointer) -> Range<Int> {
        let start = Self.byteCount(user.utf8, .user) + 1 + LoginField.password.key.utf8.count + 2
        return start..<(start + password.count + password.count { $0 == Self.quote })
    }

    private static let quote = UInt8(ascii: "\"")

    private static func write(_ value: some Sequence<UInt8>, _ field: LoginField, to buffer: inout ByteBuffer) {
        buffer.writeString(field.key)
        buffer.writeStaticString("=\"")
        for byte in value {
            if byte == quote { buffer.writeInteger(quote) }
            buffer.writeInteger(byte)
        }
        buffer.writeInteger(quote)
    }

    private static func byteCount(_ value: some Collection<UInt8>, _ field: LoginField) -> Int {
        field.key.utf8.count + 3 + value.count + value.count { $0 == quote }
    }

    private static func check(_ value: some Collection<UInt8>, _ field: LoginField) throws(LoginStringError) {
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
