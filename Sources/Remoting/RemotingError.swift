// SPDX-License-Identifier: Apache-2.0

/// Why a call to a Remoting SDK server gave no reply.
///
/// Texts that come from the server (`redirected`, `exception`) are raw: whoever shows them makes them printable first.
package enum RemotingError: Error, Equatable {
    /// No connection: refused, no route, or connect timeout. Nothing of the request went out.
    case unreachable(reason: String)
    /// The connection ended before the reply was complete. The server may have got the request.
    case interrupted(reason: String)
    /// The caller's deadline passed.
    case deadline
    /// More calls wait for a connection than the channel keeps.
    case overloaded
    /// The channel was ended or closed before the request went out.
    case closed
    /// The server's TLS key is not the pinned one.
    case tlsIdentity(observed: PublicKeyFingerprint)
    /// No trusted authority vouches for the server as this host: why, as a fragment.
    case tlsUntrusted(host: String, reason: String)
    /// The status of a reply that is no Remoting message.
    case httpStatus(Int)
    /// A redirect, which is never followed: the location is the server's text, cut to 256 bytes.
    case redirected(status: Int, location: String)
    /// More bytes than the limit: the reply, its inflated body, or the request.
    case tooLarge(limit: Int)
    /// Bytes that do not follow the wire format.
    case malformed(reason: String)
    /// The server wraps its messages in an AES envelope (docs/wire.md, "Not supported").
    case aesEnvelope
    /// The server answered with an exception message.
    case exception(RemotingException)

    /// True if the server says that the session of this ClientID has gone: log in, then repeat once.
    package var isSessionNotFound: Bool {
        guard case .exception(let exception) = self else { return false }
        return exception.isSessionNotFound
    }
}

extension RemotingError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreachable(let reason): "server unreachable: \(reason)"
        case .interrupted(let reason): "no answer: \(reason)"
        case .deadline: "no answer before the deadline"
        case .overloaded: "too many calls wait for this server"
        case .closed: "the connection to the server was closed"
        case .tlsIdentity(let observed): "the server's TLS key is not the pinned one: it showed \(observed)"
        case .tlsUntrusted(let host, let reason): "the server is not proved to be \(host.debugDescription): \(reason)"
        case .httpStatus(let status): "the server answered with HTTP status \(status) and no message"
        case .redirected(let status, _):
            "the server answered with a redirect (HTTP status \(status)), which is not followed"
        case .tooLarge(let limit): "message larger than \(limit) bytes"
        case .malformed(let reason): "malformed message: \(reason)"
        case .aesEnvelope: "the server requires an AES envelope, which is not supported; use TLS"
        case .exception(let exception): "the server answered with exception \(exception.className.debugDescription)"
        }
    }
}
