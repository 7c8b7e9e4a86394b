// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("Sentences of relctl for the codes of the API")
struct WordingTests {
    typealias Note = ManagerAPI.Note
    typealias Fault = ManagerAPI.SourceFault

    static let notes: [(Note, String)] = [
        (
            Note(code: .fileSetAside, path: "/d/a", movedTo: "/d/a.damaged-1", detail: "r"),
            "the file '/d/a' was renamed to '/d/a.damaged-1': r"
        ),
        (Note(code: .fileUnusable, path: "/d/a\u{1B}", detail: "r"), #"'/d/a\u{1B}' is not used and not written: r"#),
        (
            Note(code: .sessionExportIgnored, path: "/d/a"),
            "the file '/d/a' permits exported sessions, which were removed: relctl adapter open --loopback"
        ),
        (Note(code: .listNotSaved, detail: "r"), "the list of added endpoints is not saved: r"),
        (Note(code: .directoryUnclaimed, path: "/d", detail: "r"), "a second daemon on /d is not detected: r"),
        (Note(code: .vaultUnusable, detail: "the vault's file is damaged"), "the vault's file is damaged"),
        (Note(code: .vaultSuspected, detail: "the vault is older"), "the vault is older"),
        (Note(code: .secretsSwappable, detail: "mlock: no"), "secrets may be swapped out (mlock: no); raise the limit"),
        (Note(code: .keyringUnusable, detail: "r"), "the kernel cannot keep the vault's key: r"),
        (Note(code: .sleepUnnoticed, detail: "r"), "may stay open when the machine sleeps: r"),
        (Note(code: .sessionLockUnnoticed, detail: "r"), "may stay open when the session locks: r"),
        (
            Note(code: .programReplaced, path: "/p"),
            "the daemon is older than the installed program '/p': systemctl --user restart relativityd.service"
        ),
        (Note(code: .auditEventsLost, count: 2), "2 events missing from the audit log"),
        (Note(code: .auditNotWritten, detail: "r"), "the audit log cannot be written: r"),
        (Note(code: .loginFileIgnored, path: "/l", detail: "r"), "the login '/l' is ignored: r"),
        (Note(code: .loginFilesCut, count: 70, limit: 64), "of 70 login files, only the first 64 are used"),
        (
            Note(code: .serverFileIgnored, path: "/s", detail: "r"),
            "the server's file '/s' is ignored: r; after fixing it"
        ),
        (Note(code: .serverFileKept, path: "/s", detail: "r"), "the server's file '/s' is used as read before: r"),
        (Note(code: .serverDirectoryIgnored, path: "/s", detail: "r"), "the servers' files in '/s' are ignored: r"),
        (Note(code: .serverDirectoryKept, path: "/s", detail: "r"), "in '/s' are used as read before: r"),
        (
            Note(code: .serverDirectoryMissing, path: "/s"),
            "there is no such directory; create it, or omit --endpoints"
        ),
        (Note(code: .serverFilesCut, path: "/s", count: 9, limit: 8), "not all used: of 9, only the first 8 by name"),
        (Note(code: .adapterIgnored, path: "/c", detail: "'x' must be y"), "/c: 'x' must be y"),
        (Note(code: .adapterUnopened, name: "a", detail: "r"), "the configured adapter 'a' was not opened: r"),
        (Note(code: .avahiSilent), "avahi-daemon has not answered for a second"),
        (
            Note(code: .avahiCacheFull, path: "/a.conf", limit: 4_096, needed: 8_192),
            "the cache of avahi-daemon is full (4096 records), so that servers may be missing: set cache-entries-max=8192 "
                + "below [server] in /a.conf"
        ), (Note(code: .addressesRefused, source: "dns:d", count: 3), "dns:d: 3 addresses are outside the networks"),
        (
            Note(code: .instancesIgnored, source: "dns:d", count: 3),
            "dns:d: 3 listed instances are over the limit or in another"
        ),
        (
            Note(code: .instancesUnplaced, source: "dns:d", count: 3),
            "dns:d: 3 listed instances have no usable SRV record"
        ),
        (
            Note(code: .entriesIgnored, source: "etcd:f", name: "b", count: 3, detail: "no JSON"),
            "etcd:f: ignored entries: 3, for example 'b': no JSON"
        ), (Note(code: .entriesUnplaced, source: "etcd:f", count: 3), "networks that are allowed for it: 3"),
        (Note(code: .listCut, source: "etcd:f", limit: 3), "etcd:f: the list is longer than the limit of 3 entries"),
        (Note(code: .listFull, source: "etcd:f", count: 1, limit: 3), "limit of 3 entries: some left out 1 time"),
    ]

    @Test("each note is a sentence with its values", arguments: notes)
    func note(note: Note, words: String) {
        #expect("\(note.text)".contains(words), "\(note.text)")
    }

    static let faults: [(Fault, String)] = [
        (Fault(code: .etcdError, servers: ["e:1"], detail: "no"), "etcd reports: no (asked: e:1)"),
        (Fault(code: .notStarted, servers: []), "it has not started"),
        (Fault(code: .noThread, servers: [], number: 11), "its thread cannot be started (errno 11)"),
        (Fault(code: .avahiNotRunning, servers: []), "avahi-daemon is not running"),
        (Fault(code: .avahiNotAnswering, servers: []), "avahi-daemon does not answer"),
        (Fault(code: .avahiLost, servers: []), "the connection to avahi-daemon was lost"),
        (Fault(code: .avahiDenied, servers: []), "the system bus denies access to Avahi"),
        (Fault(code: .avahiError, servers: [], detail: "bad type"), "avahi-daemon reports: bad type"),
        (Fault(code: .busUnreachable, servers: []), "the system bus cannot be reached"),
        (Fault(code: .busDenied, servers: []), "access to the system bus is denied"),
        (
            Fault(code: .dnsNoServer, servers: [], path: "/r"),
            "no DNS server is known: set one in /r, or as servers in"
        ),
        (
            Fault(code: .dnsSilent, servers: ["10.0.0.53:53", "[fd00::53]:5300"]),
            "no DNS server answers (asked: 10.0.0.53:53,[fd00::53]:5300): try 'dig @10.0.0.53 -p 53 d.org SOA'"
        ),
        (
            Fault(code: .dnsError, servers: ["[fd00::53]:5300"], number: 5),
            "(REFUSED) (asked: [fd00::53]:5300): try 'dig @"
        ),
        (Fault(code: .dnsError, servers: [], number: 2), "the DNS server failed (SERVFAIL): try 'dig d.org SOA'"),
        (Fault(code: .dnsError, servers: [], number: 9), "the DNS server reports code 9"),
        (Fault(code: .dnsMalformed, servers: []), "the DNS server's reply is malformed"),
        (Fault(code: .etcdUnreachable, servers: [], detail: "r"), "etcd cannot be reached: r"),
        (
            Fault(code: .etcdSilent, servers: ["e:1", "e:2"]),
            "etcd does not answer (asked: e:1,e:2): try 'etcdctl --endpoints=e:1,e:2 endpoint health'"
        ), (Fault(code: .etcdClosed, servers: []), "etcd closed the connection"),
        (Fault(code: .etcdTooLarge, servers: [], number: 7), "etcd sent more than 7 bytes at once"),
        (Fault(code: .etcdMalformed, servers: []), "the server does not speak the protocol of etcd"),
        (Fault(code: .etcdHistoryLost, servers: []), "etcd's history does not continue from its list"),
        (Fault(code: .etcdPasswordRefused, servers: [], user: "bob"), "the password with 'etcdctl user passwd bob'"),
        (Fault(code: .etcdUserNeeded, servers: []), "etcd requires a user: set user and password_file"),
        (Fault(code: .etcdWithoutUsers, servers: []), "etcd has no users: remove user and password_file"),
        (
            Fault(code: .etcdReadDenied, servers: [], user: "eve", path: "/f/"),
            "etcd does not let user 'eve' read /f/: grant"
        ),
        (Fault(code: .etcdFileUnusable, servers: [], detail: "it is open to others"), "it is open to others"),
    ]

    @Test("each fault of a source is a fragment with its values and the next step", arguments: faults)
    func fault(fault: Fault, words: String) {
        #expect("\(fault.text(of: "dns:d.org"))".contains(words), "\(fault.text(of: "dns:d.org"))")
    }

    typealias Reason = RegistryAPI.Reason

    static let reasons: [(Reason, String)] = [
        (Reason(code: .error, detail: "no such thing"), "no such thing"),
        (Reason(code: .connectError, errno: 111, detail: "Connection refused"), "Connection refused"),
        (Reason(code: .connectTimeout), "no connection in time"), (Reason(code: .noConnection), "no connection"),
        (Reason(code: .noConnection, host: "10.0.0.1"), "no TLS connection to 10.0.0.1"),
        (Reason(code: .noAnswer), "no answer in time"), (Reason(code: .closed), "the server closed the connection"),
        (Reason(code: .brokenOff), "the server closed the connection before the end of its reply"),
        (Reason(code: .spokeFirst), "the server sent data before a request"), (Reason(code: .tlsFailed), "TLS failed"),
        (Reason(code: .noKey), "the server showed no key"),
        (Reason(code: .overloaded), "too many calls are waiting for this server"),
        (Reason(code: .noAddress), "no address is known"),
        (Reason(code: .addressRefused, detail: "10.0.0.1"), "no source may announce 10.0.0.1 on this network"),
        (Reason(code: .noInterface, host: "eth\u{1B}"), #"there is no interface eth\u{1B}"#),
        (Reason(code: .lookUpFailed, host: "srv", detail: "unknown"), "srv: unknown"),
        (Reason(code: .lookUpTimeout), "the look-up of its name takes too long"),
        (Reason(code: .noListener, port: 7_099), "no process accepts the connection on port 7099"),
        (Reason(code: .notListed), "it is not in the list of endpoints now"),
        (Reason(code: .vanished), "it no longer announces itself"),
        (Reason(code: .nameTaken), "another server announces itself under the same name"),
        (Reason(code: .otherUser, port: 80), "another user of this machine answers on port 80"),
        (Reason(code: .otherKey, shown: "ab"), "it showed the TLS key ab"),
        (
            Reason(code: .otherIdentity, shown: "ab", path: "/e/a.toml"),
            "it shows ab, and the administrator's file /e/a.toml has another one"
        ), (Reason(code: .notVouched, host: "srv", detail: "expired"), "it is not verified as srv: expired"),
        (Reason(code: .tlsGone), "it no longer uses TLS"),
        (Reason(code: .tlsNow, host: "10.0.0.1"), "the login is bound to plain HTTP at 10.0.0.1, and it uses TLS now"),
        (Reason(code: .otherPlace, host: "h", port: 1), "the login is bound to h port 1, and it is elsewhere now"),
        (Reason(code: .otherInterface, detail: "it was allowed on eth0"), "it was allowed on eth0"),
        (Reason(code: .pinDamaged), "the pin is damaged"),
    ]

    @Test("each reason of a state is a fragment with its values", arguments: reasons)
    func reason(reason: Reason, words: String) {
        #expect("\(reason.text)" == words)
    }

    @Test("every code has a sentence")
    func complete() {
        #expect(Set(Self.notes.map(\.0.code)) == Set(Note.Code.allCases))
        #expect(Set(Self.faults.map(\.0.code)) == Set(Fault.Code.allCases))
        #expect(Set(Self.reasons.map(\.0.code)) == Set(Reason.Code.allCases))
    }
}
