// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import relativityd

@Suite("Entries of the journal")
struct JournalTests {
    /// Reads an entry as journald does.
    private func fields(_ bytes: [UInt8]) throws -> [String: String] {
        var fields: [String: String] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = try #require(rest.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\n") })
            let name = String(decoding: rest[..<end], as: UTF8.self)
            var length = 0
            let isPlain = rest[end] == UInt8(ascii: "=")
            rest = rest[(end + 1)...]
            if isPlain {
                length = try #require(rest.firstIndex(of: UInt8(ascii: "\n"))) - rest.startIndex
            } else {
                length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(8)
            }
            #expect(fields[name] == nil, "\(name) twice")
            fields[name] = String(decoding: rest.prefix(length), as: UTF8.self)
            #expect(rest.dropFirst(length).first == UInt8(ascii: "\n"))
            rest = rest.dropFirst(length + 1)
        }
        return fields
    }

    @Test("facts are fields, and no value can make another field")
    func facts() throws {
        var entry = JournalEntry(priority: 4, message: "a\nPRIORITY=0\n")
        entry.add(fact: "endpoint", "x=y")
        entry.add(fact: "login-Name é", "\nMESSAGE=z")
        #expect(
            try fields(entry.bytes) == [
                "PRIORITY": "4", "SYSLOG_IDENTIFIER": "relativityd", "MESSAGE": "a\nPRIORITY=0\n",
                "RELATIVITYD_ENDPOINT": "x=y", "RELATIVITYD_LOGIN_NAME___": "\nMESSAGE=z",
            ]
        )
    }

    @Test("an entry is bounded, and cut between characters")
    func bounds() throws {
        var entry = JournalEntry(priority: 4, message: String(repeating: "é", count: 5_000))
        for number in 0..<100 { entry.add(fact: "f\(number)", String(repeating: "x", count: 5_000)) }
        let fields = try fields(entry.bytes)
        #expect(fields.count == JournalEntry.maximumFields)
        let message = try #require(fields["MESSAGE"])
        #expect(message.utf8.count <= JournalEntry.maximumValueBytes && message.hasSuffix("é…"))
        #expect(!message.unicodeScalars.contains("\u{FFFD}"))
        #expect(entry.bytes.count < 64 << 10)
    }
}
