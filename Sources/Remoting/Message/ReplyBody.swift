// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Tells from its first bytes what the body of an HTTP reply is.
package enum ReplyBody {
    /// The body, if a message may be in it. A BinMessage counts whatever the status; exceptions may come with 500.
    ///
    /// - Throws: `aesEnvelope`, or `httpStatus` for what is neither a BinMessage nor sent with 200.
    package static func message(_ body: ByteBuffer, status: Int) throws(RemotingError) -> ByteBuffer {
        if MessageHeader.opens(body) { return body }
        if MessageHeader.opensEnvelope(body) { throw .aesEnvelope }
        guard status == 200 else { throw .httpStatus(status) }
        return body
    }
}
