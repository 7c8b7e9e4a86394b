// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Remoting

/// The LoginEx call of a Data Abstract login service.
package enum LoginRequest {
    package static let method = "LoginEx"

    /// The whole message, password included: whoever gets it wipes it.
    ///
    /// - Parameters:
    ///   - password: UTF-8; read only during the call.
    ///   - schema: nil leaves the field out.
    /// - Throws: what `LoginString` refuses.
    package static func encode(
        user: String,
        password: UnsafeRawBufferPointer,
        domain: String,
        schema: String?,
        service: String = LoginService.defaultName,
        clientID: ClientID
    ) throws(LoginStringError) -> LoginMessage {
        let login = try LoginString(user: user, domain: domain, schema: schema)
        return try encode(login, password: password, service: service, clientID: clientID)
    }

    /// The same from a login string with another key for the user, or with further keys.
    package static func encode(
        _ login: LoginString,
        password: UnsafeRawBufferPointer,
        service: String = LoginService.defaultName,
        clientID: ClientID
    ) throws(LoginStringError) -> LoginMessage {
        let count = login.byteCount(password: password)
        var writer = RequestMessage.writer(
            clientID: clientID,
            service: service,
            method: method,
            parameterBytes: MemoryLayout<Int32>.size + count
        )
        writer.writeCount(count)
        // Taken out of the writer, so that writing the password copies nothing.
        var message = writer.buffer
        writer = BinMessageWriter()
        let start = message.writerIndex
        try login.write(password: password, to: &message)
        let place = login.passwordRange(of: password)
        return LoginMessage(bytes: message, password: (start + place.lowerBound)..<(start + place.upperBound))
    }
}

/// The Login call of the two services that take user and password as parameters (docs/wire.md, "Services").
package enum PlainLoginRequest {
    package static let method = "Login"
    package static let simpleService = "SimpleLoginService"
    package static let multiDbService = "MultiDbLoginService"

    /// The whole message, password included: whoever gets it wipes it.
    ///
    /// - Parameters:
    ///   - password: UTF-8; read only during the call.
    ///   - connection: of a MultiDb service; nil for a simple one, which has no such parameter.
    /// - Throws: what `LoginString` refuses in its values.
    package static func encode(
        user: String,
        password: UnsafeRawBufferPointer,
        connection: String? = nil,
        service: String = simpleService,
        clientID: ClientID
    ) throws(LoginStringError) -> LoginMessage {
        try LoginString.check(user.utf8, .user)
        try LoginString.check(password, .password)
        if let connection { try LoginString.check(connection.utf8, .connection) }
        let bytes = user.utf8.count + password.count + (connection?.utf8.count ?? 0)
        var writer = RequestMessage.writer(
            clientID: clientID,
            service: service,
            method: method,
            parameterBytes: 3 * MemoryLayout<Int32>.size + bytes
        )
        writer.write(utf8: user)
        writer.writeCount(password.count)
        let start = writer.buffer.writerIndex
        writer.writeRaw { $0.writeBytes(password) }
        if let connection { writer.write(utf8: connection) }
        return LoginMessage(bytes: writer.buffer, password: start..<(start + password.count))
    }
}

/// An encoded LoginEx or Login call, with the place of the password in it.
package struct LoginMessage: Sendable {
    /// Holds the password until `wipe()`.
    package let bytes: ByteBuffer
    /// Where the password stands, in a login string with its quotes doubled; from the start of the readable bytes.
    let password: Range<Int>

    /// Overwrites the bytes, for everybody who shares them.
    package func wipe() {
        bytes.wipeSharedStorage()
    }

    /// Calls `body` with a search for the password; it finds nothing once the bytes are wiped.
    func withEcho<Result>(_ body: (borrowing PasswordEcho) -> Result) -> Result {
        bytes.withUnsafeReadableBytes { body(PasswordEcho(of: UnsafeRawBufferPointer(rebasing: $0[password]))) }
    }
}

/// What a login service answers to LoginEx and to Login.
package enum LoginReply {
    /// True if the ClientID of the request now has a session; false if the login was refused.
    ///
    /// What Login says of the user behind that is left unread.
    /// - Throws: `RemotingError`; servers may refuse by an exception too.
    package static func decode(_ reply: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> Bool {
        var values = try ReplyMessage.values(of: reply, limits: limits)
        return try values.readBool()
    }

    /// The same for the reply to a login with a password, where the server refuses by an exception only after a search for
    /// the password in it: what repeats it is never made a text.
    ///
    /// An inflated copy of the reply is overwritten; the reply itself is the caller's.
    /// - Throws: `WithheldRefusal` in the place of some exceptions; `RemotingError`.
    package static func decode(_ reply: ByteBuffer, to request: LoginMessage) throws -> Bool {
        let message = try BinMessage(decoding: reply, limits: limits)
        defer { if isCompressed(reply) { message.body.wipeSharedStorage() } }
        if message.header.kind == .exception {
            guard message.body.readableBytes <= exceptionLimit else { throw WithheldRefusal.tooLong }
            guard !request.isRepeated(in: message.body, limit: exceptionLimit) else {
                throw WithheldRefusal.repeatsPassword
            }
        }
        var values = try ReplyMessage.values(of: message, limits: limits)
        return try values.readBool()
    }

    private static let limits = WireLimits.login
    /// Bytes of an exception whose text may be shown.
    private static let exceptionLimit = 66 << 10

    private static func isCompressed(_ reply: ByteBuffer) -> Bool {
        var start = reply
        return (try? MessageHeader(from: &start))?.isCompressed ?? false
    }
}

/// The server refused a login by an exception of which nothing may be shown.
package enum WithheldRefusal: Error {
    /// It repeats the password.
    case repeatsPassword
    /// It is longer than what is searched for the password.
    case tooLong
}
