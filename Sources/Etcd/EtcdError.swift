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

    /// For people, with the members that were asked and the next step. It does not say which of them failed last: the same
    /// fault is told once.
    func reason(of members: [ServerURL], user: String?, prefix: String) -> String {
        let addresses = members.map { "\($0.scheme.rawValue)://\($0.host.urlText):\($0.port)" }.joined(separator: ",")
        let reason = "\(reason(user: user, prefix: prefix)) (\(addresses))"
        return switch self {
        case .unreachable, .silent, .closed, .malformed:
            "\(reason): try 'etcdctl --endpoints=\(addresses) endpoint health'; if that fails too, mend that server or the way "
                + "to it, or put the right one into servers of [[etcd]]"
        case .tooLarge, .historyLost, .refused, .file: reason
        }
    }

    /// As far as it does not depend on the server.
    func reason(user: String?, prefix: String) -> String {
        let user = user.map { "\(Printable($0))" }
        guard case .refused(_, let message) = self else { return "\(self)" }
        switch message {
        case _ where message.contains("authentication failed"):
            return "etcd refuses the password of user '\(user ?? "")': put the right one into password_file, or set it "
                + "by 'etcdctl user passwd \(user ?? "")'"
        case _ where message.contains("user name is empty"):
            return "etcd wants to know a user: set user and password_file"
        case _ where message.contains("authentication is not enabled"):
            return "etcd has no users: take user and password_file out of the configuration, or turn authentication on "
                + "by 'etcdctl auth enable'"
        case _ where message.contains("permission denied"):
            return "etcd does not let user '\(user ?? "")' read \(prefix)/: grant it by 'etcdctl role "
                + "grant-permission --prefix=true ROLE read \(prefix)/'"
        default:
            return "\(self)"
        }
    }
}

extension EtcdError: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreachable(let reason): "etcd cannot be reached: \(reason)"
        case .silent: "etcd does not answer"
        case .closed: "etcd closed the connection"
        case .tooLarge(let limit): "etcd sent more than \(limit) bytes at once"
        case .malformed: "what answers does not speak as etcd does"
        case .historyLost: "etcd's history does not go on from its list"
        case .refused(_, let message): "etcd reports: \(Printable(message, columns: 200))"
        case .file(let reason): reason
        }
    }
}
