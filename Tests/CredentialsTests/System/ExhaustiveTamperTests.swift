// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

/// Every change of one byte, and every rearrangement, of a vault with twenty logins. One tag covers the whole payload, so
/// `make test` makes one change of each kind to its bytes, and `make soak` all of them.
@Suite("Exhaustive tampering")
struct ExhaustiveTamperTests {
    /// The results of the changes of one part of the file.
    private struct Tally: Sendable {
        var refused = 0
        var errors: Set<CredentialError> = []
        var wrong: [String] = []
    }

    /// The vault, its key, and the offsets of its parts.
    private struct Subject: Sendable {
        let fixture: VaultFixture
        let bytes: [UInt8]
        let headerBytes: Int

        init() throws {
            fixture = try VaultFixture()
            bytes = try fixture.file(loginCount: 20)
            headerBytes = try VaultFile(parsing: bytes).header.byteCount
        }

        func error(_ bytes: [UInt8]) -> CredentialError? {
            do throws(CredentialError) {
                _ = try fixture.open(bytes)
                return nil
            } catch {
                return error
            }
        }

        /// The possible faults if the byte at `offset` has another value.
        func faultsOfValue(_ offset: Int) -> Set<String> {
            switch offset {
            case 0..<8: ["not-a-vault"]
            case 8..<10: ["version", "header"]
            // The value may be that of a header with another number of slots.
            case 12..<16: ["header-length", "header-digest"]
            case 10..<(headerBytes - 32): ["header-digest"]
            case (headerBytes - 32)..<headerBytes: ["header-tag"]
            default: ["payload"]
            }
        }

        /// The possible faults if the byte at `offset` is removed or inserted.
        func faultsOfShift(_ offset: Int) -> Set<String> {
            switch offset {
            case 0..<8: ["not-a-vault"]
            case 8..<16: ["version", "header", "header-length", "header-digest", "size"]
            case 16..<(headerBytes - 32): ["header-digest"]
            default: ["size"]
            }
        }
    }

    /// Tries `change` at every offset, on all cores.
    private static func tally(
        _ subject: Subject,
        upTo end: Int? = nil,
        _ change: @escaping @Sendable (Subject, Int, inout Tally) -> Void
    ) async throws -> Tally {
        let parts = try await Cores.map(0..<64) { part in
            var tally = Tally()
            let end = end ?? subject.bytes.count
            for offset in (end * part / 64)..<(end * (part + 1) / 64) { change(subject, offset, &tally) }
            return tally
        }
        return parts.reduce(into: Tally()) { sum, part in
            sum.refused += part.refused
            sum.errors.formUnion(part.errors)
            sum.wrong += part.wrong
        }
    }

    private static func note(
        _ subject: Subject,
        _ changed: [UInt8],
        _ faults: Set<String>,
        _ tally: inout Tally,
        _ what: @autoclosure () -> String
    ) {
        guard let error = subject.error(changed) else {
            tally.wrong.append("\(what()) went unnoticed")
            return
        }
        guard let fault = error.faultName, faults.contains(fault) else {
            tally.wrong.append("\(what()) was refused as \(error)")
            return
        }
        tally.refused += 1
        tally.errors.insert(error)
    }

    /// Prints the number of changes, and checks that no error reveals content of the file.
    private static func judge(_ tally: Tally, _ what: String) {
        #expect(tally.wrong.isEmpty, "\(tally.wrong.prefix(10))")
        for error in tally.errors {
            for text in ["login 1", "password 1", "endpoint-1", "schema"] { #expect(!error.description.contains(text)) }
        }
        print("tampering: \(tally.refused) of \(tally.refused + tally.wrong.count) refused: \(what)")
    }

    @Test("every bit flipped, and every byte set to 00 and FF")
    func values() async throws {
        let subject = try Subject()
        let free = subject.fixture.arena.freeByteCount
        let tally = try await Self.tally(subject) { subject, offset, tally in
            var changed = subject.bytes
            let original = changed[offset]
            let faults = subject.faultsOfValue(offset)
            let isWhole = Soak.isOn || offset < subject.headerBytes
            let values = isWhole ? (0..<8).map { original ^ 1 << $0 } + [0x00, 0xFF] : [original ^ 1 << (offset % 8)]
            for value in values where value != original {
                changed[offset] = value
                Self.note(subject, changed, faults, &tally, "byte \(offset) as \(value)")
            }
        }
        Self.judge(tally, "bits flipped and bytes set")
        let whole = Soak.isOn ? subject.bytes.count : subject.headerBytes
        #expect(tally.refused > 8 * whole + subject.bytes.count)
        #expect(subject.fixture.arena.freeByteCount == free, "no secret outlives a refusal")
    }

    @Test("every byte deleted, doubled, and preceded by another byte")
    func shifts() async throws {
        let subject = try Subject()
        let tally = try await Self.tally(subject) { subject, offset, tally in
            var changed = subject.bytes
            changed.remove(at: offset)
            Self.note(subject, changed, subject.faultsOfShift(offset), &tally, "byte \(offset) deleted")
            for value in offset < subject.headerBytes || Soak.isOn ? [subject.bytes[offset], 0x00] : [0x00] {
                changed = subject.bytes
                changed.insert(value, at: offset)
                // In a run of equal bytes, the first difference is at the end of the run.
                let end = subject.bytes[offset...].firstIndex { $0 != value } ?? changed.count
                Self.note(subject, changed, subject.faultsOfShift(end), &tally, "\(value) before byte \(offset)")
            }
        }
        Self.judge(tally, "bytes deleted, doubled and put in")
        let whole = Soak.isOn ? subject.bytes.count : subject.headerBytes
        #expect(tally.refused == 2 * subject.bytes.count + whole)
    }

    @Test("every shorter length")
    func truncations() async throws {
        let subject = try Subject()
        let tally = try await Self.tally(subject) { subject, count, tally in
            Self.note(
                subject,
                Array(subject.bytes[..<count]),
                count == 0 ? ["not-a-vault"] : ["size"],
                &tally,
                "cut to \(count)"
            )
        }
        Self.judge(tally, "lengths")
        #expect(tally.refused == subject.bytes.count)
    }

    @Test("every pair of 4 KiB blocks swapped, in the file and in its payload")
    func blocks() throws {
        let subject = try Subject()
        var tally = Tally()
        let blocks = (subject.bytes.count - subject.headerBytes - 16) / 4096
        for start in [0, subject.headerBytes] {
            for (first, second) in Self.pairs(blocks) {
                var changed = subject.bytes
                for offset in 0..<4096 {
                    changed.swapAt(start + first * 4096 + offset, start + second * 4096 + offset)
                }
                let faults: Set<String> = start == 0 && first == 0 ? ["not-a-vault"] : ["payload"]
                Self.note(subject, changed, faults, &tally, "blocks \(first) and \(second)")
            }
        }
        Self.judge(tally, "swaps of blocks")
        #expect(blocks >= 3 && tally.refused == blocks * (blocks - 1))
    }

    @Test("every pair of eight slots swapped, with the old and with a repaired digest")
    func slots() throws {
        let fixture = try VaultFixture()
        var header = fixture.header
        header.slots = try (0..<8).map { index in
            try fixture.key.wrapped(
                for: try VaultFixture.identity(fixture.random),
                slotSecret: fixture.slotSecret.secret,
                label: "\(index)",
                created: 0
            )
        }
        let bytes = try fixture.file(loginCount: 2, header: header)
        let base = try FormatBase(bytes, dataKey: fixture.key.secret.secret.withBytes { Array($0) }, in: fixture.arena)
        var refused = 0
        for (first, second) in Self.pairs(8) {
            var front = base.header
            for offset in 0..<256 { front.swapAt(144 + 256 * first + offset, 144 + 256 * second + offset) }
            #expect(throws: CredentialError.damaged(.headerDigest)) { try fixture.open(front + base.sealed) }
            try base.setDigest(in: &front)
            #expect(throws: CredentialError.damaged(.headerTag)) { try fixture.open(front + base.sealed) }
            refused += 2
        }
        print("tampering: \(refused) swaps of slots refused")
        #expect(refused == 56)
    }

    @Test("every pair of sealed passwords swapped, by an attacker with the data key")
    func seals() throws {
        let fixture = try VaultFixture()
        let good = try fixture.open(try fixture.file(loginCount: 20)).payload
        var refused = 0
        for (first, second) in Self.pairs(20) {
            var payload = good
            payload.entries[first].password = good.entries[second].password
            payload.entries[second].password = good.entries[first].password
            let vault = try fixture.open(try fixture.seal(payload, header: fixture.header))
            for index in [first, second] {
                #expect(throws: CredentialError.damaged(.entry)) {
                    _ = try vault.password(of: vault.payload.entries[index], pin: VaultFixture.pin(index))
                }
                refused += 1
            }
        }
        print("tampering: \(refused) swapped seals refused")
        #expect(refused == 380)
    }

    @Test("the header of each of fifty saves with the payload of every other")
    func splices() async throws {
        let fixture = try VaultFixture()
        var vault = try fixture.open(try fixture.file(loginCount: 20))
        var saves: [[UInt8]] = []
        for generation in 0..<50 {
            var draft = VaultDraft(after: vault)
            draft.payload.entries[generation % 20].lastUsedDay = UInt32(generation)
            saves.append(try draft.sealed(random: fixture.random))
            vault = try fixture.open(saves[generation])
        }
        let files = saves
        let refused = try await Cores.map(0..<50) { first in
            let header = try VaultFile(parsing: files[first]).header.byteCount
            return (0..<50).count { second in
                guard second != first else { return false }
                do throws(CredentialError) {
                    _ = try fixture.open(Array(files[first][..<header] + files[second][header...]))
                    return false
                } catch {
                    return error == .damaged(.payload)
                }
            }
        }.reduce(0, +)
        print("tampering: \(refused) splices of two saves refused")
        #expect(refused == 50 * 49)
    }

    private static func pairs(_ count: Int) -> [(Int, Int)] {
        (0..<count).flatMap { first in ((first + 1)..<max(count, first + 1)).map { (first, $0) } }
    }
}
