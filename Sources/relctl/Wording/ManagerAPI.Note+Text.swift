// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension ManagerAPI.Note {
    private static let reload = "systemctl --user reload relativityd"

    /// The problem and its remedy as a sentence, safe for a terminal.
    var text: Printable { Printable(again: sentence) }

    private var sentence: String {
        switch code {
        case .fileSetAside: "the file '\(place)' was set aside as '\(Printable(movedTo ?? ""))': \(reason)"
        case .fileUnusable: "the file '\(place)' is not used and not written: \(reason)"
        case .listNotSaved: "the list of added endpoints is not saved: \(reason)"
        case .directoryUnclaimed: "a second daemon on \(place) is not noticed: \(reason)"
        case .vaultUnusable, .vaultSuspected: reason
        case .secretsSwappable:
            "secrets may be swapped out (\(reason)); raise the limit of locked memory, LimitMEMLOCK= in the unit"
        case .keyringUnusable: "the kernel cannot keep the vault's key: \(reason)"
        case .sleepUnnoticed: "the vault may stay open when the machine sleeps: \(reason)"
        case .sessionLockUnnoticed: "the vault may stay open when the session locks: \(reason)"
        case .auditEventsLost: "\(Counted(count ?? 0, "event")) missing in the audit log"
        case .auditNotWritten: "the audit log cannot be written: \(reason)"
        case .loginFileIgnored: "the login '\(place)' is not taken: \(reason)"
        case .loginFilesCut: "of \(Counted(count ?? 0, "file")) of logins only the first \(limit ?? 0) are taken"
        case .serverFileIgnored: "the server's file '\(place)' is not taken: \(reason); \(correction)"
        case .serverFileKept: "the server's file '\(place)' stays as it was read before: \(reason); \(correction)"
        case .serverDirectoryIgnored: "the servers' files in '\(place)' are not taken: \(reason); \(correction)"
        case .serverDirectoryKept:
            "the servers' files in '\(place)' stay as they were read before: \(reason); \(correction)"
        case .serverDirectoryMissing:
            "the servers' files in '\(place)' are not taken: there is no such directory; make it, or leave out --endpoints"
        case .serverFilesCut:
            "the servers' files in '\(place)' are not all taken: of \(count ?? 0) the first \(limit ?? 0) by name are"
        default: sentenceOfSource
        }
    }

    /// Of the problems of adapters and sources.
    private var sentenceOfSource: String {
        switch code {
        case .adapterIgnored: "\(place): \(reason)"
        case .adapterUnopened: "the configured adapter '\(Printable(again: name ?? ""))' is not there: \(reason)"
        case .avahiSilent: "avahi-daemon has not answered for a second"
        case .avahiCacheFull:
            "the cache of avahi-daemon is full (\(limit ?? 0) records), so that servers may be missing: set "
                + "cache-entries-max=\(needed ?? 0) below [server] in \(place), then run 'systemctl restart avahi-daemon'"
        case .addressesRefused: "\(origin): \(count ?? 0) addresses lie outside of the networks that are allowed for it"
        case .instancesIgnored: "\(origin): \(count ?? 0) listed instances are too many or of another domain"
        case .instancesUnplaced: "\(origin): \(count ?? 0) listed instances have no usable SRV record"
        case .entriesIgnored:
            "\(origin): entries that are not taken: \(count ?? 0), for example '\(Printable(again: name ?? ""))': \(reason)"
        case .entriesUnplaced:
            "\(origin): entries without an address in the networks that are allowed for it: \(count ?? 0)"
        case .listCut: "\(origin): the list is longer than the limit of \(limit ?? 0) entries: the rest is not read"
        case .listFull:
            "\(origin): the list is at its limit of \(limit ?? 0) entries: left out \(Counted(count ?? 0, "time"))"
        default: code.rawValue
        }
    }

    private var place: Printable { Printable(path ?? "") }
    private var origin: Printable { Printable(source ?? "") }
    private var reason: String { detail ?? "no reason is known" }
    private var correction: String { "when it is right (relativityd(8)): \(Self.reload)" }
}
