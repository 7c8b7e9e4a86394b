// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("Sentences of relctl for the codes of the API")
struct WordingTests {
    typealias Note = ManagerAPI.Note
    typealias Source = ManagerAPI.SourceFault
    typealias Reason = RegistryAPI.Reason
    typealias Provider = CredentialsAPI.ProviderFault
    typealias Anchor = CredentialsAPI.AnchorNote
    typealias Chain = AuditAPI.Fault
    typealias Seen = BrokerAPI.ExchangeNote

    /// A text of another program, which must not reach a terminal as it is.
    private static let hostile = "x\u{1B}[2J"

    /// The text of each code with all values, and its name.
    private static func texts<Code: CaseIterable & RawRepresentable<String>>(
        _ text: (Code) -> String
    ) -> [(code: String, text: String)] {
        Code.allCases.map { ($0.rawValue, text($0)) }
    }

    private static let kinds: [[(code: String, text: String)]] = [
        texts { (code: Note.Code) in
            let note = Note(
                code: code,
                path: hostile,
                movedTo: hostile,
                source: hostile,
                name: hostile,
                count: 2,
                limit: 3,
                needed: 4,
                detail: hostile
            )
            return "\(note.text)"
        },
        texts { (code: Source.Code) in
            let fault = Source(
                code: code,
                servers: [hostile],
                user: hostile,
                path: hostile,
                number: 7,
                detail: hostile
            )
            return "\(fault.text(of: hostile))"
        },
        texts { (code: Reason.Code) in
            let reason = Reason(
                code: code,
                host: hostile,
                port: 7,
                shown: hostile,
                path: hostile,
                errno: 5,
                detail: hostile
            )
            return "\(reason.text)"
        },
        texts { (code: Provider.Code) in
            "\(Provider(code: code, path: hostile, number: 7, detail: hostile).text)"
        },
        texts { (code: Anchor.Code) in
            "\(Anchor(code: code, place: hostile, fault: Provider(code: .keyMissing, path: hostile), detail: hostile).text)"
        },
        texts { (code: Chain.Code) in
            "\(Chain(file: "f", line: 1, code: code, first: 2, last: 5, expected: 4, found: 7).text)"
        },
        texts { (code: Seen.Code) in "\(Seen(code: code, kind: .message, count: 7, text: hostile).sentence)" },
        texts { (code: CredentialsAPI.SlotStrength) in "\(code)" },
        texts { (code: AdapterCloseReason) in "\(code.text)" },
        texts { (code: ImportConflict) in "\(code.text)" },
    ]

    @Test("each code has a sentence that no other code of its kind has, safe for a terminal", arguments: kinds)
    func complete(kind: [(code: String, text: String)]) {
        for (code, text) in kind {
            #expect(text.contains(" ") || text.hasPrefix("x"), "\(code): \(text)")
            #expect(!text.unicodeScalars.contains("\u{1B}"), "\(code): \(text)")
        }
        let plain = kind.map(\.text).filter { !$0.hasPrefix("x") }
        #expect(Set(plain).count == plain.count)
    }

    private static let examples: [(text: String, words: String)] = [
        ("\(Note(code: .listFull, source: "etcd:f", count: 1, limit: 3).text)", "3 entries: some left out 1 time"),
        (dns(.dnsError, "[fd00::53]:5300", number: 5), "(REFUSED) (asked: [fd00::53]:5300): try 'dig @"),
        ("\(Reason(code: .noConnection).text)", "no connection"),
        ("\(Reason(code: .noConnection, host: "10.0.0.1").text)", "no TLS connection to 10.0.0.1"),
        ("\(Provider(code: .keyringUnanswered, number: 1_500).text)", "was not answered within 1500 ms"),
        (Chain(file: "f", line: 1, code: .missing, first: 2, last: 2).text, "line 2 is missing before it"),
    ]

    private static func dns(_ code: Source.Code, _ servers: String..., number: Int64? = nil) -> String {
        "\(Source(code: code, servers: servers, number: number).text(of: "dns:d.org"))"
    }

    @Test("values change the sentence: numbers, lists, units and the command to try", arguments: examples)
    func values(text: String, words: String) {
        #expect(text.contains(words), "\(text)")
    }
}
