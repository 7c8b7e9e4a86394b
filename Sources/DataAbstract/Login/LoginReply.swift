// SPDX-License-Identifier: Apache-2.0

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
}
