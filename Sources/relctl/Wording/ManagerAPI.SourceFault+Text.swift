// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension ManagerAPI.SourceFault {
    /// The fault of a source and its remedy as a part of a sentence, safe for a terminal.
    func text(of source: String) -> Printable {
        Printable(again: remedy(source).map { "\(asked): \($0)" } ?? asked)
    }

    private var asked: String { servers.isEmpty ? fault : "\(fault) (asked: \(list))" }

    private var fault: String {
        switch code {
        case .notStarted: "it has not started"
        case .noThread: "its thread cannot be started (errno \(number ?? 0))"
        case .avahiNotRunning: "avahi-daemon is not running"
        case .avahiNotAnswering: "avahi-daemon does not answer"
        case .avahiLost: "the connection to avahi-daemon was lost"
        case .avahiDenied: "the system bus denies access to Avahi"
        case .avahiError: "avahi-daemon reports: \(reason)"
        case .busUnreachable: "the system bus cannot be reached"
        case .busDenied: "access to the system bus is denied"
        case .dnsNoServer: "no DNS server is known"
        case .dnsSilent: "no DNS server answers"
        case .dnsError where number == 2: "the DNS server has a fault (SERVFAIL)"
        case .dnsError where number == 5: "the DNS server refuses (REFUSED)"
        case .dnsError: "the DNS server reports code \(number ?? 0)"
        case .dnsMalformed: "the DNS server's reply is malformed"
        case .etcdUnreachable: "etcd cannot be reached: \(reason)"
        case .etcdSilent: "etcd does not answer"
        case .etcdClosed: "etcd closed the connection"
        case .etcdTooLarge: "etcd sent more than \(Counted(number ?? 0, "byte")) at once"
        case .etcdMalformed: "the server does not speak the protocol of etcd"
        case .etcdHistoryLost: "etcd's history does not go on from its list"
        case .etcdPasswordRefused: "etcd refuses the password of user '\(account)'"
        case .etcdUserNeeded: "etcd requires a user"
        case .etcdWithoutUsers: "etcd has no users"
        case .etcdReadDenied: "etcd does not let user '\(account)' read \(place)"
        case .etcdFileUnusable: reason
        case .etcdError: "etcd reports: \(reason)"
        }
    }

    private func remedy(_ source: String) -> String? {
        switch code {
        case .dnsNoServer: "name one in \(configured)"
        case .dnsSilent, .dnsError, .dnsMalformed:
            "try '\(question(source))'; if that gets no answer either, mend that server or the way to it, or name others in "
                + configured
        case .etcdUnreachable, .etcdSilent, .etcdClosed, .etcdMalformed:
            "try 'etcdctl --endpoints=\(list) endpoint health'; if that fails too, mend that server or the way to it, or "
                + "put the right one into servers of [[etcd]]"
        case .etcdPasswordRefused:
            "put the right one into password_file, or set it by 'etcdctl user passwd \(account)'"
        case .etcdUserNeeded: "set user and password_file"
        case .etcdWithoutUsers:
            "take user and password_file out of the configuration, or turn authentication on by 'etcdctl auth enable'"
        case .etcdReadDenied:
            "grant it by 'etcdctl role grant-permission --prefix=true ROLE read \(place)'"
        default: nil
        }
    }

    private var reason: String { detail ?? "no reason is known" }
    private var account: Printable { Printable(user ?? "") }
    private var place: Printable { Printable(path ?? "") }
    private var list: String { servers.map { "\(Printable($0))" }.joined(separator: ",") }

    /// The command that asks the first DNS server about the domain of a source.
    private func question(_ source: String) -> String {
        let domain = Printable(source.split(separator: ":", maxSplits: 1).last ?? "")
        guard let server = servers.first.flatMap({ AddressAndPort($0, defaultPort: 53) }) else {
            return "dig \(domain) SOA"
        }
        return "dig @\(server.address) -p \(server.port) \(domain) SOA"
    }

    /// Where DNS servers are named.
    private var configured: String {
        let key = "servers in [[dns_domain]]"
        return path.map { "\(Printable($0)), or as \(key)" } ?? key
    }
}

extension ManagerAPI.Source {
    /// Why it is down.
    var reason: Printable { fault?.text(of: name) ?? Printable("no reason is known") }
}
