// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The reason why a request to etcd failed.
enum EtcdError: Error, Hashable {
    /// The connection or TLS failed.
    case unreachable(reason: String)
    /// The connection or the reply timed out.
    case silent
    /// The connection ended before the end of the reply.
    case closed
    /// A reply, or a response of a watch, is longer than this many bytes.
    case tooLarge(limit: Int)
    /// The reply cannot be parsed.
    case malformed
    /// Several watches in a row could not continue from the revision of the list.
    case historyLost
    /// etcd replied with an error: the code of gRPC, and a text. Untrusted.
    case refused(code: Int, message: String)
    /// A configured file cannot be used: the password file, or a file for TLS.
    case file(reason: String)
}

extension EtcdError {
    /// Whether the token has expired, or the server that issued it has restarted (gRPC: UNAUTHENTICATED).
    var wantsNewToken: Bool {
        guard case .refused(let code, let message) = self else { return false }
        return code == 16 || message.contains("invalid auth token")
    }

    /// Whether every member of the cluster would reply with the same error, and an early retry would not help.
    var isFinal: Bool {
        switch self {
        case .refused(let code, _): [3, 7, 9].contains(code)
        case .file: true
        default: false
        }
    }

    /// Returns the error as a fault of the source. It names all members of the cluster, not the one that failed last,
    /// because a fault is reported only when it differs from the previous one.
    func fault(of list: EtcdList) -> SourceFault {
        var fault = fault
        fault.servers = list.servers.map { "\($0.scheme.rawValue)://\($0.host.urlText):\($0.port)" }
        if [.etcdPasswordRefused, .etcdReadDenied].contains(fault.code) { fault.user = list.user?.name }
        if fault.code == .etcdReadDenied { fault.path = list.prefix + "/" }
        return fault
    }

    private var fault: SourceFault {
        switch self {
        case .unreachable(let reason): SourceFault(.etcdUnreachable, detail: reason)
        case .silent: SourceFault(.etcdSilent)
        case .closed: SourceFault(.etcdClosed)
        case .tooLarge(let limit): SourceFault(.etcdTooLarge, number: limit)
        case .malformed: SourceFault(.etcdMalformed)
        case .historyLost: SourceFault(.etcdHistoryLost)
        case .file(let reason): SourceFault(.etcdFileUnusable, detail: reason)
        // The codes of etcd do not distinguish these errors.
        case .refused(_, let message) where message.contains("authentication failed"): SourceFault(.etcdPasswordRefused)
        case .refused(_, let message) where message.contains("user name is empty"): SourceFault(.etcdUserNeeded)
        case .refused(_, let message) where message.contains("authentication is not enabled"):
            SourceFault(.etcdWithoutUsers)
        case .refused(_, let message) where message.contains("permission denied"): SourceFault(.etcdReadDenied)
        case .refused(_, let message): SourceFault(.etcdError, detail: "\(Printable(message, columns: 200))")
        }
    }
}
