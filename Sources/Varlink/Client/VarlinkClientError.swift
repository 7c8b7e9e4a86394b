// SPDX-License-Identifier: Apache-2.0

/// Why a call did not bring a reply. A reply that is an error is a `VarlinkError` instead.
public enum VarlinkClientError: Error, Hashable {
    /// Nobody can be reached at the path; ENOENT and ECONNREFUSED mean that no service runs.
    case noService(path: String, errno: Int32)
    /// The service at the path is not whom a secret is for: why, as a fragment.
    case untrusted(path: String, reason: String)
    case deadlinePassed
    /// Nobody reads what the caller writes any more.
    case readerGone
    /// The service closed the connection, or an earlier failure did.
    case closed
    case malformed(String)
    /// A reply exceeds the limit in bytes.
    case tooLong(limit: Int)
    case system(call: String, errno: Int32)
}

extension VarlinkClientError: CustomStringConvertible {
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
