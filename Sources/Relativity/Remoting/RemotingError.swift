// SPDX-License-Identifier: Apache-2.0

/// The reason why a call to a Remoting SDK server failed.
///
/// Texts in `redirected` and `exception` come from the server and are untrusted: escape them before printing.
package enum RemotingError: Error, Equatable {
    /// No connection: refused, no route, or connect timeout. Nothing of the request was sent.
    case unreachable(ConnectionFault)
    /// The connection ended before the reply was complete. The server may have received the request.
    case interrupted(ConnectionFault)
    /// The caller's deadline passed.
    case deadline
    /// The channel's queue of calls that wait for a connection is full.
    case overloaded
    /// The channel was ended or closed before the request was sent.
    case closed
    /// The server's TLS key is not the pinned one.
    case tlsIdentity(observed: PublicKeyFingerprint)
    /// No trusted authority has certified the server for this host. `reason` is a sentence fragment.
    case tlsUntrusted(host: String, reason: String)
    /// The HTTP status of a reply that is not a Remoting message.
    case httpStatus(Int)
    /// A redirect, which is never followed. `location` is the server's text, cut to 256 bytes.
    case redirected(status: Int, location: String)
    /// The reply, its inflated body or the request exceeds the limit.
    case tooLarge(limit: Int)
    /// Bytes that do not follow the wire format.
    case malformed(reason: String)
    /// The server wraps its messages in an AES envelope (docs/wire.md, "Not supported").
    case aesEnvelope
    /// The server answered with an exception message.
    case exception(RemotingException)

    /// Whether the server no longer has a session for this ClientID. Log in, then repeat the call once.
    package var isSessionNotFound: Bool {
        guard case .exception(let exception) = self else { return false }
        return exception.isSessionNotFound
    }
}

extension RemotingError: CustomStringConvertible {
    /// A sentence fragment. The class of an exception, which is untrusted text, is escaped.
    package var description: String {
        switch self {
        case .unreachable(let fault): "server unreachable: \(fault)"
        case .interrupted(let fault): "no answer: \(fault)"
        case .deadline: "no answer before the deadline"
        case .overloaded: "too many calls are waiting for this server"
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
