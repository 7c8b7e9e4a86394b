// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension ManagerAPI.Note {
    private static let reload = "systemctl --user reload relativityd"

    /// The problem and its remedy as a sentence, safe for a terminal.
    var text: Printable { Printable(again: sentence) }

    private var sentence: String {
        switch code {
        case .fileSetAside: "the file '\(place)' was renamed to '\(Printable(movedTo ?? ""))': \(reason)"
        case .fileUnusable: "the file '\(place)' is not used and not written: \(reason)"
        case .sessionExportIgnored:
            "the file '\(place)' permits exported sessions, which were removed: relctl adapter open --loopback"
        case .listNotSaved: "the list of added endpoints is not saved: \(reason)"
        case .directoryUnclaimed: "a second daemon on \(place) is not detected: \(reason)"
        case .vaultUnusable, .vaultSuspected: reason
        case .secretsSwappable: MemoryText.swappable(reason)
        case .keyringUnusable: "the kernel cannot keep the vault's key: \(reason)"
        case .sleepUnnoticed: "the vault may stay open when the machine sleeps: \(reason)"
        case .sessionLockUnnoticed: "the vault may stay open when the session locks: \(reason)"
        case .auditEventsLost: "\(Counted(count ?? 0, "event")) missing from the audit log"
        case .auditNotWritten: "the audit log cannot be written: \(reason)"
        case .loginFileIgnored: "the login '\(place)' is ignored: \(reason)"
        case .loginFilesCut: "of \(Counted(count ?? 0, "login file")), only the first \(limit ?? 0) are used"
        case .serverFileIgnored: "the server's file '\(place)' is ignored: \(reason); \(correction)"
        case .serverFileKept: "the server's file '\(place)' is used as read before: \(reason); \(correction)"
        case .serverDirectoryIgnored: "the servers' files in '\(place)' are ignored: \(reason); \(correction)"
        case .serverDirectoryKept:
            "the servers' files in '\(place)' are used as read before: \(reason); \(correction)"
        case .serverDirectoryMissing:
            "the servers' files in '\(place)' are ignored: there is no such directory; create it, or omit --endpoints"
        case .serverFilesCut:
            "the servers' files in '\(place)' are not all used: of \(count ?? 0), only the first \(limit ?? 0) by name"
        case .programReplaced:
            "the daemon is older than the installed program '\(place)': systemctl --user restart relativityd.service"
        default: sentenceOfSource
        }
    }

    /// The sentence for problems of adapters and sources.
    private var sentenceOfSource: String {
        switch code {
        case .adapterIgnored: "\(place): \(reason)"
        case .adapterUnopened: "the configured adapter '\(Printable(again: name ?? ""))' was not opened: \(reason)"
        case .avahiSilent: "avahi-daemon has not answered for a second"
        case .avahiCacheFull:
            "the cache of avahi-daemon is full (\(limit ?? 0) records), so that servers may be missing: set "
                + "cache-entries-max=\(needed ?? 0) below [server] in \(place), then run 'systemctl restart avahi-daemon'"
        case .addressesRefused: "\(origin): \(count ?? 0) addresses are outside the networks that are allowed for it"
        case .instancesIgnored: "\(origin): \(count ?? 0) listed instances are over the limit or in another domain"
        case .instancesUnplaced: "\(origin): \(count ?? 0) listed instances have no usable SRV record"
        case .entriesIgnored:
            "\(origin): ignored entries: \(count ?? 0), for example '\(Printable(again: name ?? ""))': \(reason)"
        case .entriesUnplaced:
            "\(origin): entries without an address in the networks that are allowed for it: \(count ?? 0)"
        case .listCut: "\(origin): the list is longer than the limit of \(limit ?? 0) entries: the rest is not read"
        case .listFull:
            "\(origin): the list is at its limit of \(limit ?? 0) entries: some left out \(Counted(count ?? 0, "time"))"
        default: code.rawValue
        }
    }

    private var place: Printable { Printable(path ?? "") }
    private var origin: Printable { Printable(source ?? "") }
    private var reason: String { detail ?? "unknown reason" }
    private var correction: String { "after fixing it, run (see relativityd(8)):  \(Self.reload)" }
}

extension SourceFault {
    /// The fault of a source and its remedy as a sentence fragment, safe for a terminal.
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
        case .dnsError where number == 2: "the DNS server failed (SERVFAIL)"
        case .dnsError where number == 5: "the DNS server refuses (REFUSED)"
        case .dnsError: "the DNS server reports code \(number ?? 0)"
        case .dnsMalformed: "the DNS server's reply is malformed"
        case .etcdUnreachable: "etcd cannot be reached: \(reason)"
        case .etcdSilent: "etcd does not answer"
        case .etcdClosed: "etcd closed the connection"
        case .etcdTooLarge: "etcd sent more than \(Counted(number ?? 0, "byte")) at once"
        case .etcdMalformed: "the server does not speak the protocol of etcd"
        case .etcdHistoryLost: "etcd's history does not continue from its list"
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
        case .dnsNoServer: "set one in \(configured)"
        case .dnsSilent, .dnsError, .dnsMalformed:
            "try '\(question(source))'; if that gets no answer either, fix the server or the route to it, or set others in "
                + configured
        case .etcdUnreachable, .etcdSilent, .etcdClosed, .etcdMalformed:
            "try 'etcdctl --endpoints=\(list) endpoint health'; if that fails too, fix the server or the route to it, or "
                + "correct servers in [[etcd]]"
        case .etcdPasswordRefused:
            "correct password_file, or set the password with 'etcdctl user passwd \(account)'"
        case .etcdUserNeeded: "set user and password_file"
        case .etcdWithoutUsers:
            "remove user and password_file from the configuration, or enable authentication with 'etcdctl auth enable'"
        case .etcdReadDenied:
            "grant it with 'etcdctl role grant-permission --prefix=true ROLE read \(place)'"
        default: nil
        }
    }

    private var reason: String { detail ?? "unknown reason" }
    private var account: Printable { Printable(user ?? "") }
    private var place: Printable { Printable(path ?? "") }
    private var list: String { servers.map { "\(Printable($0))" }.joined(separator: ",") }

    /// Returns the command that queries the first DNS server for the domain of a source.
    private func question(_ source: String) -> String {
        let domain = Printable(source.split(separator: ":", maxSplits: 1).last ?? "")
        guard let server = servers.first.flatMap({ AddressAndPort($0, defaultPort: 53) }) else {
            return "dig \(domain) SOA"
        }
        return "dig @\(server.address) -p \(server.port) \(domain) SOA"
    }

    /// The locations where DNS servers are configured.
    private var configured: String {
        let key = "servers in [[dns_domain]]"
        return path.map { "\(Printable($0)), or as \(key)" } ?? key
    }
}

extension SourceStatus {
    /// The reason why the source is down.
    var reason: Printable { fault?.text(of: name) ?? Printable("unknown reason") }
}

/// A fact of the API that has a sentence in `Endpoints`, because the daemon prints it too.
protocol Sentence: CustomStringConvertible {}

extension Sentence {
    /// The sentence, safe for a terminal.
    var text: Printable { Printable(again: description) }
}

extension AdapterCloseReason: Sentence {}
extension AnchorNote: Sentence {}
extension ProviderFault: Sentence {}
extension StateReason: Sentence {}

extension RegistryAPI.Probe {
    /// The reason why the server was not reached, or is not the pinned one.
    var why: Printable { reason?.text ?? Printable("unknown reason") }
}
