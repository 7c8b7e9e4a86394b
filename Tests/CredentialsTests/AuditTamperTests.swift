// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Audit log: detection of changes")
struct AuditTamperTests {
    private let fixture: AuditFixture
    private let bytes: [UInt8]
    private let head: VaultKeys.AuditHead

    init() throws {
        fixture = try AuditFixture()
        head = try fixture.writeSmallLog(fixture.writer())
        bytes = try fixture.bytes
    }

    private var lines: [[UInt8]] { bytes.split(separator: UInt8(ascii: "\n")).map(Array.init) }

    private func fault(in lines: [[UInt8]]) throws -> AuditFault? {
        try fixture.report(on: lines.flatMap { $0 + [UInt8(ascii: "\n")] }, heads: [head]).fault
    }

    @Test("an unchanged log is intact, and its lines are counted")
    func whole() throws {
        let report = try fixture.report(on: bytes, heads: [head])
        #expect(report.fault == nil)
        #expect(report.lines == 14 && report.keyed == 9 && report.first == 1 && report.last == 14)
        #expect(report.unproved == 0 && report.unclean.isEmpty && report.lost == 0)
    }

    @Test("no number in a line stops the log or its verification")
    func hugeNumbers() throws {
        func line(after sequence: UInt64, _ entry: AuditEntry) throws -> [UInt8] {
            let head = VaultKeys.AuditHead(sequence: sequence, tag: self.head.tag)
            let timestamp = AuditTimestamp(wall: 1, boot: 1)
            return try AuditLine.make(entry, times: 1, at: timestamp, after: head, key: nil).bytes
        }
        let started = AuditEntry(.daemonStarted, peer: nil)
        let last = try line(after: VaultLimits.lastNumber - 1, started)
        let text = String(decoding: last, as: UTF8.self)
        for number in [UInt64.max, VaultLimits.lastNumber + 1] {
            let huge = Array(text.replacing("\(VaultLimits.lastNumber)", with: "\(number)").utf8)
            #expect(huge != last && AuditLine(huge.dropLast()) == nil)
        }
        #expect(AuditLine(last.dropLast())?.sequence == VaultLimits.lastNumber)
        let lost = AuditEntry(.logLost, figures: ["events": .integer(.max)])
        let flood = try line(after: head.sequence, lost)
        let again = try AuditLine(flood.dropLast()).flatMap(\.head).map {
            try AuditLine.make(lost, times: 1, at: AuditTimestamp(wall: 1, boot: 1), after: $0, key: nil).bytes
        }
        let full = try fixture.report(on: bytes + flood + (try #require(again)), heads: [head])
        #expect(full.fault == nil && full.lost == .max)

        fixture.temporary.write(bytes + last, to: "state/audit.jsonl")
        let writer = fixture.writer()
        for _ in 0..<2 { #expect(try writer.add(.note(.daemonStarted)).sequence == VaultLimits.lastNumber) }
        #expect(try fixture.report().fault != nil)
    }

    @Test("a flipped bit in any byte is found")
    func flips() throws {
        var count = 0
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= UInt8(1) << (index % 8)
            count += 1
            #expect(try fixture.report(on: changed, heads: [head]).fault != nil, "byte \(index)")
        }
        print("audit: \(count) flipped bits in \(lines.count) lines, all found")
    }

    @Test("every line that is removed, repeated, swapped or emptied is found at its position")
    func wholeLines() throws {
        let lines = lines
        var count = 0
        for index in lines.indices {
            var removed = lines
            removed.remove(at: index)
            let missing = try #require(try fault(in: removed), "line \(index + 1) removed")
            let isLast = index == lines.count - 1
            #expect(missing.line == Int64(isLast ? index : index + 1))
            let number = Int64(index + 1)
            #expect(missing.code == (isLast ? .truncated : .missing))
            #expect(missing.first == number && missing.last == number)

            var repeated = lines
            repeated.insert(lines[index], at: index)
            let twice = try #require(try fault(in: repeated), "line \(index + 1) twice")
            #expect(twice.code == .misplaced && twice.expected == number + 1 && twice.found == number)

            var emptied = lines
            emptied[index] = []
            #expect(try fault(in: emptied)?.code == .unreadable)
            count += 3
            for other in lines.indices where other > index {
                var swapped = lines
                swapped.swapAt(index, other)
                #expect(try fault(in: swapped)?.line == Int64(index + 1), "lines \(index + 1) and \(other + 1) swapped")
                count += 1
            }
        }
        print("audit: \(count) removed, repeated, emptied and swapped lines, all found")
    }

    @Test("truncation to any length is found")
    func truncation() throws {
        for length in 0..<bytes.count {
            let report = try fixture.report(on: Array(bytes[..<length]), heads: [head])
            guard let fault = report.fault, fault.code == .truncated else {
                Issue.record("cut to \(length) bytes: \(report)")
                continue
            }
            #expect(fault.last == 14)
        }
        print("audit: \(bytes.count) lengths of a cut log, all found")
    }

    @Test("a changed line, a line of another vault and a replaced line have different faults")
    func names() throws {
        var changed = lines
        changed[5].replace("pin.set".utf8, with: "pin.cut".utf8)
        #expect(try fault(in: changed) == .init(file: "audit.jsonl", line: 6, code: .changed))

        // Any process can write a line without the key, but the next line under the key does not follow it.
        let other = try AuditFixture()
        let writer = other.writer()
        try writer.add(.note(.daemonStarted), .note(.daemonStarted), .note(.daemonStarted))
        let forged = try other.bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
        #expect(try fault(in: forged + lines[3...]) == .init(file: "audit.jsonl", line: 4, code: .replaced))

        let foreign = SharedSecret(try Secret(copying: [UInt8](repeating: 9, count: 32), in: fixture.arena))
        let report = try fixture.report(on: bytes, heads: [head], key: foreign)
        #expect(report.fault?.code == .changed || report.fault?.code == .foreign)
        #expect(report.fault?.line == 4)
    }

    @Test("lines that were removed before the vault was opened remain missing")
    func gapBehindTheVault() throws {
        // The vault's head was saved. Then the end of the log was cut off while no daemon ran.
        let kept = lines[..<6].flatMap { $0 + [UInt8(ascii: "\n")] }
        fixture.temporary.write(kept, to: "state/audit.jsonl")
        let writer = fixture.writer()
        try writer.add(.note(.daemonStarted))
        let next = try writer.add(.open(fixture.key, known: head), .note(.vaultUnlocked))
        // The next save stores the new head, but the gap remains.
        let fault = try fixture.report(next).fault
        #expect(fault == .init(file: "audit.jsonl", line: 8, code: .missing, first: 8, last: 14))
    }

    @Test("a log that was replaced before the vault was opened is found, also after the next save")
    func replacedLog() throws {
        let other = try AuditFixture()
        let forger = other.writer()
        for _ in 0..<20 { try forger.add(.note(.daemonStarted)) }
        fixture.temporary.write(try other.bytes, to: "state/audit.jsonl")
        let next = try fixture.writer().add(.open(fixture.key, known: head), .note(.vaultUnlocked))
        let report = try fixture.report(next)
        #expect(report.fault?.code == .replaced)
    }

    @Test("the end of an open vault's log without a lock is reported")
    func unclean() throws {
        let writer = fixture.writer()
        let next = try writer.add(
            .note(.daemonStarted),
            .open(fixture.key, known: head),
            .note(.vaultUnlocked)
        )
        let report = try fixture.report(next)
        #expect(report.fault == nil)
        #expect(report.unclean == [14] && report.unproved == 0)
    }

    @Test("lines of a process that exited before the vault was opened are counted as unproved")
    func unproved() throws {
        try fixture.writer().add(.note(.daemonStarted), .note(.vaultRefused, .refused))
        let writer = fixture.writer()
        try writer.add(.note(.daemonStarted))
        let next = try writer.add(.open(fixture.key, known: head), .note(.vaultUnlocked))
        let report = try fixture.report(next)
        #expect(report.fault == nil)
        #expect(report.unproved == 2)
    }

    @Test("a new vault does not authenticate lines of an earlier one")
    func newVault() throws {
        let writer = fixture.writer()
        let key = SharedSecret(try Secret(copying: [UInt8](repeating: 9, count: 32), in: fixture.arena))
        let next = try writer.add(.open(key, known: .start), .note(.vaultMade))
        let report = try AuditVerifier.report(on: try fixture.folder.readAll(), key: key, heads: [next])
        #expect(report.fault == nil)
        #expect(report.lines == 16 && report.unproved >= 14)
    }
}
