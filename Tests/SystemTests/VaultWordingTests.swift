// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("The sentences of relctl for the codes of vault, audit log, adapters and captures")
struct VaultWordingTests {
    typealias Fault = CredentialsAPI.ProviderFault
    typealias Note = CredentialsAPI.AnchorNote

    static let faults: [(Fault, String)] = [
        (Fault(code: .error, detail: "no such thing"), "no such thing"),
        (Fault(code: .noProvider), "this daemon has no such provider"),
        (Fault(code: .noSlot), "the vault has no such key slot"),
        (Fault(code: .keyMissing, path: "/k\u{1B}"), #"there is no '/k\u{1B}'"#),
        (Fault(code: .keyMalformed, path: "/k"), "'/k' holds neither 32 bytes nor 64 hexadecimal digits"),
        (Fault(code: .keyDamaged, path: "/k"), "'/k' is damaged"),
        (Fault(code: .keyDiffers), "the key was not read back as written"),
        (Fault(code: .noDirectory, detail: "r.key"), "is not set; add LoadCredential=r.key to the unit"),
        (Fault(code: .systemdMissing, path: "/s"), "nothing listens on '/s'; systemd 256 or later is required"),
        (Fault(code: .systemdUnfit, path: "/s"), "the service at '/s' does not have io.systemd.Credentials"),
        (Fault(code: .systemdDenied), "polkit does not permit it"),
        (Fault(code: .systemdError, number: 5), "systemd failed with errno 5"),
        (Fault(code: .systemdError), "systemd failed with errno unknown"),
        (Fault(code: .systemdRefused, detail: "New"), "systemd refused it with New"),
        (Fault(code: .systemdNoBlob), "systemd returned no encrypted key"),
        (Fault(code: .systemdNoKey, number: 32), "did not return a key of 32 bytes"),
        (Fault(code: .userUnknown), "systemd does not know this user"),
        (Fault(code: .keyUnreadable), "the stored key is damaged, or was made on another machine"),
        (Fault(code: .keyOfOtherVault), "the stored key belongs to another vault"),
        (Fault(code: .keyOfOtherUser), "the stored key belongs to another user"),
        (Fault(code: .keyOfOtherTPM), "the stored key belongs to another TPM"),
        (Fault(code: .keyNotValidNow), "the stored key is not valid at this time"),
        (Fault(code: .keyNotEncrypted), "the stored key is not encrypted"),
        (Fault(code: .tpmRefused), "the TPM does not release the key"),
        (Fault(code: .tpmLocked), "the TPM is locked after too many wrong attempts"),
        (Fault(code: .noBus, detail: "refused"), "there is no session bus (refused)"),
        (Fault(code: .noService), "no Secret Service runs on the session bus"),
        (Fault(code: .serviceSilent), "the Secret Service did not answer a call"),
        (Fault(code: .serviceSilent, number: 5_000), "the Secret Service did not answer within 5 s"),
        (Fault(code: .serviceVanished), "the Secret Service exited during a call"),
        (Fault(code: .serviceRefused, detail: "full"), "the Secret Service refused (full)"),
        (Fault(code: .servicePlain), "the Secret Service does not encrypt data on the bus"),
        (Fault(code: .keyringLocked), "the keyring is locked"),
        (Fault(code: .keyringDismissed), "the keyring is locked: its password was not given"),
        (Fault(code: .keyringUnanswered, number: 1_500), "password prompt was not answered within 1500 ms"),
        (Fault(code: .keyringNoKey), "the keyring has no key for this vault"),
        (Fault(code: .keyringKeyLength, number: 1), "the keyring's key is 1 byte long, not 32"),
        (Fault(code: .keyringItemTooLarge), "the keyring's item is too large for a key"),
        (Fault(code: .keyringDuplicates), "the keyring has several items for this vault"),
        (Fault(code: .keyringNoDefault), "there is no default keyring"),
        (Fault(code: .keyringTemporary), "the default keyring is deleted at the end of the session"),
        (Fault(code: .keyringNotKept), "the Secret Service did not keep what was stored"),
        (Fault(code: .helperNotStarted, path: "/h", number: 2, detail: "no file"), "cannot start '/h' (no file)"),
        (Fault(code: .helperEnded, number: 3), "its helper ended with status 3 and no answer"),
        (Fault(code: .helperKilled, number: 9), "its helper was ended by signal 9"),
        (Fault(code: .helperOutdated), "its helper has another version than the daemon"),
        (Fault(code: .helperUnsafe), "its helper has no locked memory for a key"),
    ]

    @Test("each fault of a key provider is a fragment with its values", arguments: faults)
    func fault(fault: Fault, words: String) {
        #expect("\(fault.text)".contains(words), "\(fault.text)")
    }

    static let notes: [(Note, String)] = [
        (Note(code: .malformed, place: "file"), "the anchor in file was ignored: it is malformed"),
        (Note(code: .otherVault, place: "file"), "the anchor in file was ignored: it belongs to another vault"),
        (Note(code: .wrongTag, place: "file"), "the anchor in file was ignored: it was not made by this vault"),
        (
            Note(code: .unreadable, place: "file", detail: "it is open to others"),
            "the anchor in file was ignored: it cannot be read: it is open to others"
        ),
        (
            Note(code: .notKept, place: "secret-service", fault: Fault(code: .keyringLocked)),
            "no anchor was kept in secret-service: the keyring is locked"
        ),
    ]

    @Test("each note of an anchor is a sentence with its place", arguments: notes)
    func note(note: Note, words: String) {
        #expect("\(note.text)" == words)
    }

    typealias Chain = AuditAPI.Fault

    private static func chain(_ code: Chain.Code, _ first: Int64? = nil, _ last: Int64? = nil) -> Chain {
        Chain(file: "audit.jsonl", line: 1, code: code, first: first, last: last, expected: 4, found: 7)
    }

    static let chains: [(Chain, String)] = [
        (chain(.unreadable), "the line is malformed"), (chain(.changed), "the line was changed"),
        (chain(.foreign), "the line's tag was not made by this vault"),
        (
            chain(.missing, 2, 2),
            "line 2 is missing before it (removed, or the vault was restored from a machine that has them)"
        ), (chain(.misplaced), "it is line 7 instead of line 4"),
        (chain(.replaced), "the line before it was replaced"),
        (chain(.truncated, 2, 5), "lines 2 to 5 are missing at the end"),
    ]

    @Test("each fault of the audit log is a clause with the numbers of its lines", arguments: chains)
    func chain(chain: Chain, words: String) {
        #expect(chain.text == words)
    }

    typealias Seen = BrokerAPI.ExchangeNote

    static let observations: [(Seen, String)] = [
        (Seen(code: .loginOmitted), "the login string in the request is left out"),
        (Seen(code: .loginReplyOmitted, count: 9), "it answers a login and is not a BinMessage, 9 bytes"),
        (Seen(code: .bodyUnreadable, text: "cut off\u{1B}"), #"the body is left out: cut off\u{1B}"#),
        (Seen(code: .bodySecret), "the body is left out because it repeats a secret"),
        (Seen(code: .headerSecret), "a header is left out because it repeats a secret"),
        (Seen(code: .bytesOmitted, count: 7), "7 more bytes are left out"),
        (Seen(code: .notMessage, count: 1), "1 byte, not a BinMessage"),
        (Seen(code: .message, kind: .pollResponse, count: 28), "kind pollResponse, 28 bytes, not compressed"),
        (Seen(code: .compressedMessage, kind: .message, count: 28), "kind message, 28 bytes, compressed"),
        (Seen(code: .sameClientID), "its ClientID is that of the request"),
        (Seen(code: .zeroClientID), "its ClientID is zero"),
        (Seen(code: .otherClientID), "its ClientID differs from that of the request"),
        (Seen(code: .exception, text: "EX"), "exception of class EX"),
        (Seen(code: .schemaElement, text: "a/b: 3"), "schema: a/b: 3"),
        (Seen(code: .schemaNotXML), "the schema is not XML"),
    ]

    @Test("each observation of a capture is a clause with its values", arguments: observations)
    func observation(seen: Seen, words: String) {
        #expect("\(seen.sentence)".contains(words), "\(seen.sentence)")
    }

    @Test("what may read the secrets in memory is said with the errors of the kernel")
    func memory() {
        typealias Refusal = CredentialsAPI.MemoryRefusal
        var vault = CredentialsAPI.Vault(state: .unlocked, path: "/v", slots: [], memoryRefusals: [])
        #expect(vault.memoryNote == nil)
        vault.memoryRefusals = [Refusal(call: .memfdSecret, errno: 38)]
        let suffix = "hibernation can read them (memfd_secret: Function not implemented)"
        #expect(vault.memoryNote?.hasSuffix(suffix) == true)
        vault.memoryRefusals.append(Refusal(call: .mlock, errno: 1))
        #expect(vault.memoryNote?.contains("may be swapped out (memfd_secret: Function") == true)
        #expect(vault.memoryNote?.contains("; mlock: Operation not permitted); raise the limit") == true)
    }

    @Test("no code is without words here, and no two words of one kind have the same")
    func complete() {
        #expect(Set(Self.faults.map(\.0.code)) == Set(Fault.Code.allCases))
        #expect(Set(Self.notes.map(\.0.code)) == Set(Note.Code.allCases))
        #expect(Set(Self.chains.map(\.0.code)) == Set(Chain.Code.allCases))
        #expect(Set(Self.observations.map(\.0.code)) == Set(Seen.Code.allCases))
        let strengths = CredentialsAPI.SlotStrength.allCases
        #expect(Set(strengths.map(\.text)).count == strengths.count)
        let ends = BrokerAPI.WatchReply.Reason.allCases
        #expect(Set(ends.map(\.text)).count == ends.count)
        let conflicts = CredentialsAPI.ImportedLogin.Reason.allCases
        #expect(Set(conflicts.map(\.text)).count == conflicts.count)
    }
}
