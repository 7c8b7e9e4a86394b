// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// Why something could not be had of etcd.
enum EtcdError: Error, Hashable {
    case unreachable(reason: String)
    case silent
    /// The connection ended before the reply did.
    case closed
    case tooLarge(limit: Int)
    case malformed
    /// Again and again the news do not go on from where the list ends.
    case historyLost
    /// etcd answered with an error: gRPC's code, and words.
    case refused(code: Int, message: String)
    /// A file of the configuration cannot be used: the password's or one for TLS.
    case file(reason: String)
}

extension EtcdError {
    /// The token has expired, or the server that gave it was started anew (gRPC: UNAUTHENTICATED).
    var wantsNewToken: Bool {
        guard case .refused(let code, let message) = self else { return false }
        return code == 16 || message.contains("invalid auth token")
    }

    /// No other member of the cluster would say something else, and trying again soon is of no use.
    var isFinal: Bool {
        switch self {
        case .refused(let code, _): [3, 7, 9].contains(code)
        case .file: true
        default: false
        }
    }

    /// The same as a fault of the source, with all members: it does not say which of them failed last, because the same
    /// fault is told once.
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
        // etcd's codes do not tell these apart.
        case .refused(_, let message) where message.contains("authentication failed"): SourceFault(.etcdPasswordRefused)
        case .refused(_, let message) where message.contains("user name is empty"): SourceFault(.etcdUserNeeded)
        case .refused(_, let message) where message.contains("authentication is not enabled"):
            SourceFault(.etcdWithoutUsers)
        case .refused(_, let message) where message.contains("permission denied"): SourceFault(.etcdReadDenied)
        case .refused(_, let message): SourceFault(.etcdError, detail: "\(Printable(message, columns: 200))")
        }
    }
}
