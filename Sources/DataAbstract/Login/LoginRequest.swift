// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import Remoting

/// The LoginEx call of a Data Abstract login service.
package enum LoginRequest {
    package static let method = "LoginEx"

    /// The whole message, password included: post it with `wiping`, or wipe it yourself.
    ///
    /// - Parameter password: UTF-8; read only during the call.
    package static func encode(
        clientID: ClientID,
        serviceName: String = LoginService.defaultName,
        login: LoginString,
        password: UnsafeRawBufferPointer
    ) throws(LoginStringError) -> ByteBuffer {
        let count = login.byteCount(password: password)
        var writer = RequestMessage.writer(
            clientID: clientID,
            service: serviceName,
            method: method,
            parameterBytes: MemoryLayout<Int32>.size + count
        )
        writer.writeCount(count)
        // Taken out of the writer, so that writing the password copies nothing.
        var message = writer.buffer
        writer = BinMessageWriter()
        try login.write(password: password, to: &message)
        return message
    }
}

/// What a login service answers to LoginEx.
package enum LoginReply {
    /// True if the ClientID of the request now has a session; false if the login was refused.
    ///
    /// - Throws: `RemotingError`; servers may refuse by an exception too.
    package static func decode(_ reply: ByteBuffer, limits: WireLimits = .standard) throws(RemotingError) -> Bool {
        var values = try ReplyMessage.values(of: reply, limits: limits)
        return try values.readBool()
    }
}
