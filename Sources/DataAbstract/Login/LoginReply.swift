// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
package import Remoting

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
