// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Remoting

/// The LoginEx call of a Data Abstract login service.
package enum LoginRequest {
    /// The name of the method.
    package static let method = "LoginEx"

    /// Encodes the complete message, including the password. The caller must wipe it.
    ///
    /// - Parameter password: UTF-8; read only during the call.
    /// - Throws: the errors of `LoginString`.
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
        // Removed from the writer so that the buffer is uniquely referenced, and writing the password makes no copy.
        var message = writer.buffer
        writer = BinMessageWriter()
        let start = message.writerIndex
        try login.write(password: password, to: &message)
        let place = login.passwordRange(of: password)
        return LoginMessage(bytes: message, password: (start + place.lowerBound)..<(start + place.upperBound))
    }
}

/// An encoded LoginEx call, with the position of the password in it.
package struct LoginMessage: Sendable {
    /// Contains the password until `wipe()`.
    package let bytes: ByteBuffer
    /// The range of the password in the readable bytes. In a login string its quotes are doubled.
    let password: Range<Int>

    /// Overwrites the bytes, also for every other buffer that shares them.
    package func wipe() {
        bytes.wipeSharedStorage()
    }

    /// Calls `body` with a search for the password, which finds nothing after the bytes were wiped.
    func withEcho<Result>(_ body: (borrowing PasswordEcho) -> Result) -> Result {
        bytes.withUnsafeReadableBytes { body(PasswordEcho(of: UnsafeRawBufferPointer(rebasing: $0[password]))) }
    }
}

/// The reply of a login service to LoginEx and to Login.
package enum LoginReply {
    /// Returns true if the ClientID of the request now has a session, and false if the login was refused.
    ///
    /// The user information that follows in a reply to Login is not read.
    /// - Throws: `RemotingError`. A server may also refuse by an exception.
    package static func decode(_ reply: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> Bool {
        var values = try ReplyMessage.values(of: reply, limits: limits)
        return try values.readBool()
    }

    /// Decodes the reply to a login with a password. If the server refuses by an exception, its bytes are searched
    /// for the password first, so that an exception which repeats the password is never turned into text.
    ///
    /// If the reply is compressed, the inflated copy is wiped here. The caller wipes the reply itself.
    /// - Throws: `WithheldRefusal` instead of some exceptions; `RemotingError`.
    package static func decode(_ reply: ByteBuffer, to request: LoginMessage) throws -> Bool {
        let message = try BinMessage(decoding: reply, limits: limits)
        defer { if isCompressed(reply) { message.body.wipeSharedStorage() } }
        if message.header.kind == .exception {
            guard message.body.readableBytes <= exceptionLimit else { throw WithheldRefusal.tooLong }
            guard !request.isRepeated(in: message.body, limit: exceptionLimit) else {
                throw WithheldRefusal.repeatsPassword
            }
        }
        var values = try ReplyMessage.values(of: message, to: LoginRequest.method, limits: limits)
        return try values.readBool()
    }

    private static let limits = WireLimits.login
    /// Maximum size in bytes of an exception whose text may be shown.
    private static let exceptionLimit = 66 << 10

    private static func isCompressed(_ reply: ByteBuffer) -> Bool {
        var start = reply
        return (try? MessageHeader(from: &start))?.isCompressed ?? false
    }
}

/// The server refused a login by an exception whose content must not be shown.
package enum WithheldRefusal: Error {
    /// The exception repeats the password.
    case repeatsPassword
    /// The exception is longer than the limit for the password search.
    case tooLong
}
