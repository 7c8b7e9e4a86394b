// SPDX-License-Identifier: Apache-2.0

package import Remoting

/// The reason why a call of `RemoteDataAdapter` failed.
///
/// A damaged stream of tables throws `TableError` instead, and a where clause that cannot be written `WhereError`.
public enum DataAdapterError: Error, Hashable, Sendable {
    /// The server or relativityd answered with an exception.
    case exception(ServerException)
    /// There is no connection to the adapter. Nothing was sent. `reason` is a sentence fragment.
    case unreachable(reason: String)
    /// The connection ended before the reply was complete. The server may have executed the call.
    case interrupted(reason: String)
    /// No byte arrived within the idle timeout.
    case timedOut
    /// The adapter object was closed, or a table reply was cancelled.
    case closed
    /// Too many calls wait for a connection.
    case overloaded
    /// The reply exceeds the limit, in bytes.
    case tooLarge(limit: Int)
    /// The reply has this HTTP status and is not a message.
    case httpStatus(Int)
    /// The reply violates the protocol. `reason` is a sentence fragment.
    case malformed(reason: String)
}

/// An exception of a server. Its texts are untrusted: escape them before printing.
public struct ServerException: Hashable, Sendable {
    /// The name of the exception's class.
    public let className: String
    /// The text of the exception.
    public let message: String
    /// The HTTP status of the reply.
    public let status: Int
    /// The stack trace of the server, at most 16 KiB; nil if it sent none. Untrusted text of several lines.
    public let stackTrace: String?
    /// What relativityd says of the call; nil if the exception is the server's own, or for another reason of relativityd.
    package let failure: AdapterFailure?

    /// Whether the exception comes from relativityd and not from the server. The status is then its reason
    /// (docs/local-api.md, "An adapter's address"). An exception of the server has the status 500, whatever its class.
    public var isFromDaemon: Bool { className == "RelativitydException" && status != 500 }

    /// Whether relativityd cannot reach the server: no byte of a reply came.
    public var isServerUnreachable: Bool {
        isFailureOfServer && failure != .cutReply && failure != .badReply
    }

    /// Whether relativityd has no usable reply of the server.
    package var isFailureOfServer: Bool { isFromDaemon && status == 502 }

    /// Whether relativityd refused the request. It does so before it sends anything.
    package var isRefusalOfDaemon: Bool { isFromDaemon && (400..<500).contains(status) }

    /// Whether the server does not know the session.
    public var isSessionNotFound: Bool {
        RemotingException(className: className, message: message).isSessionNotFound
    }

    init(_ exception: RemotingException, _ status: Int, _ failure: AdapterFailure?, stackTrace: String? = nil) {
        className = exception.className
        message = exception.message
        self.status = status
        self.failure = failure
        self.stackTrace = stackTrace
    }
}

extension DataAdapterError {
    /// Whether the server, or relativityd itself, cannot be reached now. Nothing was sent. A program that has a briefcase
    /// can go on with it.
    public var isUnreachable: Bool {
        switch self {
        case .unreachable: true
        case .exception(let exception): exception.isServerUnreachable
        default: false
        }
    }

    /// - Parameter reply: the reply that is an exception.
    init(_ error: RemotingError, in reply: ArrivingReply? = nil) {
        self =
            switch error {
            case .exception(let exception):
                .exception(ServerException(exception, reply?.status ?? 0, reply?.failure))
            case .unreachable(let fault): .unreachable(reason: fault.description)
            case .interrupted(let fault): .interrupted(reason: fault.description)
            case .deadline: .timedOut
            case .overloaded: .overloaded
            case .closed: .closed
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .httpStatus(let status), .redirected(let status, _): .httpStatus(status)
            case .malformed(let reason): .malformed(reason: reason)
            case .tlsIdentity, .tlsUntrusted, .aesEnvelope: .malformed(reason: error.description)
            }
    }

    /// Converts errors of Remoting, and returns others unchanged.
    static func converted(_ error: any Error, in reply: ArrivingReply? = nil) -> any Error {
        (error as? RemotingError).map { DataAdapterError($0, in: reply) } ?? error
    }
}

extension DataAdapterError: CustomStringConvertible {
    /// A sentence fragment. Texts of an exception are escaped.
    public var description: String {
        switch self {
        case .exception(let exception):
            "exception \(exception.className.debugDescription): \(exception.message.debugDescription)"
        case .unreachable(let reason): "adapter unreachable: \(reason)"
        case .interrupted(let reason): "connection lost: \(reason)"
        case .timedOut: "no data before the timeout"
        case .closed: "the adapter was closed"
        case .overloaded: "too many calls wait for a connection"
        case .tooLarge(let limit): "reply larger than \(limit) bytes"
        case .httpStatus(let status): "HTTP status \(status) without a message"
        case .malformed(let reason): "malformed reply: \(reason)"
        }
    }
}
