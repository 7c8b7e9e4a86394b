// SPDX-License-Identifier: Apache-2.0

/// The reason why a call got no reply. A reply that is an error is a `VarlinkError` instead.
public enum VarlinkClientError: Error, Hashable {
    /// Connecting to the path failed. ENOENT and ECONNREFUSED mean that no service runs.
    case noService(path: String, errno: Int32)
    /// The service at the path must not get a secret. The reason is a fragment of a sentence.
    case untrusted(path: String, reason: String)
    case deadlinePassed
    /// The reader of the caller's output has gone.
    case readerGone
    /// The service closed the connection, or it was closed after an earlier failure.
    case closed
    case malformed(String)
    /// A reply exceeds the limit, in bytes.
    case tooLong(limit: Int)
    case system(call: String, errno: Int32)
}

extension VarlinkClientError: CustomStringConvertible {
    /// The error as a fragment of a sentence.
    public var description: String {
        switch self {
        case .noService(let path, let errno): "no service at \(path) (errno \(errno))"
        case .untrusted(let path, let reason): "no secret goes to \(path): \(reason)"
        case .deadlinePassed: "no answer in time"
        case .readerGone: "nobody reads the output any more"
        case .closed: "service closed the connection"
        case .malformed(let reason): "malformed reply: \(reason)"
        case .tooLong(let limit): "reply longer than \(limit) bytes"
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        }
    }
}
