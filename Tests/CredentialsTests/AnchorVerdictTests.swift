// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import Testing

@testable import Credentials

@Suite("Verdicts of anchors on a file")
struct AnchorVerdictTests {
    /// A numbered save of one vault, which contains the hash of the previous one.
    private static func save(_ generation: UInt64, copy: UInt8 = 0, after: UInt8 = 0, store: UInt8 = 1) -> AnchorRecord
    {
        AnchorRecord(
            storeID: [UInt8](repeating: store, count: 16),
            generation: generation,
            hash: hash(generation, copy),
            previousHash: hash(generation - 1, after)
        )
    }

    private static func hash(_ generation: UInt64, _ copy: UInt8) -> [UInt8] {
        [UInt8](repeating: copy, count: 24) + withUnsafeBytes(of: generation.littleEndian) { Array($0) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: AnchorRecord
        let anchors: [AnchorRecord]
        let verdict: AnchorVerdict
        /// The generation of the deciding anchor.
        let newest: UInt64?

        init(
            _ testDescription: String,
            _ file: AnchorRecord,
            _ anchors: [AnchorRecord],
            _ verdict: AnchorVerdict,
            newest: UInt64? = 5
        ) {
            self.testDescription = testDescription
            self.file = file
            // An anchor that was read does not contain the previous hash.
            self.anchors = anchors.map { anchor in
                var anchor = anchor
                anchor.previousHash = nil
                return anchor
            }
            self.verdict = verdict
            self.newest = newest
        }
    }

    static let rows = [
        Row("no anchor anywhere", save(5), [], .unanchored, newest: nil),
        Row("the last save", save(5), [save(5)], .current),
        Row("one save without its anchor, as after a crash", save(6), [save(5)], .newer),
        Row("saves of another host", save(9, copy: 3, after: 3), [save(5)], .newer),
        Row("an older file", save(4), [save(5)], .rollbackSuspected(found: 4, known: 5)),
        Row("another file of the same generation", save(5, copy: 1), [save(5)], .forkSuspected(generation: 5)),
        Row(
            "the save after another file of the generation that is known",
            save(6, copy: 1, after: 1),
            [save(5)],
            .forkSuspected(generation: 6)
        ),
        Row(
            "an anchor file put back together with the vault, and the provider's",
            save(3),
            [save(3), save(7)],
            .rollbackSuspected(found: 3, known: 7),
            newest: 7
        ),
        Row("a provider that has fallen behind", save(5), [save(5), save(2)], .current),
        Row("two anchors that differ", save(5), [save(5), save(5, copy: 1)], .forkSuspected(generation: 5)),
        Row("another vault's anchor", save(2), [save(9, store: 2)], .unanchored, newest: nil),
        Row(
            "another vault's anchor beside one that counts",
            save(2),
            [save(9, store: 2), save(6)],
            .rollbackSuspected(found: 2, known: 6),
            newest: 6
        ),
    ]

    @Test("the newest valid anchor decides", arguments: rows)
    func verdict(row: Row) {
        let (verdict, newest) = AnchorVerdict.of(row.file, row.anchors)
        #expect(verdict == row.verdict)
        #expect(newest?.generation == row.newest)
    }

    @Test("the state keeps the newest save across locks, refuses an older file, and forgets only by acceptance")
    func state() {
        var state = AnchorState()
        #expect(state.status == nil)
        state.opened(Self.save(5), [AnchorCopy(at: .file)])
        #expect(state.verdict == .unanchored)
        state.wrote([AnchorCopy(at: .file)])
        state.saved(Self.save(6))
        #expect(state.verdict == .unanchored, "it stays told that nothing was known at the start")
        #expect(state.status?.known == 6)
        // The vault was locked, both files were restored, and it was unlocked.
        state.opened(Self.save(5), [AnchorCopy(at: .file, Self.save(5))])
        #expect(state.verdict == .rollbackSuspected(found: 5, known: 6))
        #expect(state.newest?.generation == 6)
        state.opened(Self.save(5), [AnchorCopy(at: .file, Self.save(5))])
        #expect(state.suspicion == .rollbackSuspected(found: 5, known: 6))
        state.accepted(Self.save(5))
        #expect(state.suspicion == nil && state.verdict == .current)
        // The same while it is open.
        state.saw(Self.save(7))
        #expect(state.verdict == .current)
        state.saw(Self.save(4))
        #expect(state.suspicion == .rollbackSuspected(found: 4, known: 5))
        state.saw(Self.save(5))
        #expect(state.suspicion == nil)
        state.refused(.forkSuspected(generation: 6))
        #expect(state.suspicion == .forkSuspected(generation: 6))
        state.opened(Self.save(1, store: 2), [AnchorCopy(at: .file, .otherVault)])
        #expect(state.verdict == .unanchored)
        #expect(state.status?.notes == [AnchorNote(code: .otherVault, place: "file")])
    }

    @Test("only the encoded bytes parse as the anchor: no changed bit, other length, other key or other vault")
    func encoding() throws {
        let fixture = try VaultFixture(seed: 3)
        let vault = try fixture.open(try fixture.file())
        let bytes = try vault.record.encoded(key: vault.keys.anchor.secret)
        func parse(_ bytes: [UInt8], _ storeID: [UInt8]? = nil) throws -> AnchorCopy {
            let storeID = storeID ?? vault.header.storeID
            return try AnchorCopy(at: .file, parsing: bytes, storeID: storeID, key: vault.keys.anchor.secret)
        }
        #expect(bytes.count == AnchorRecord.byteCount)
        var anchor = vault.record
        anchor.previousHash = nil
        #expect(try parse(bytes) == AnchorCopy(at: .file, anchor))
        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(try parse(flipped).anchor == nil, "bit \(bit) is not guarded")
        }
        for count in 0..<bytes.count { #expect(try parse(Array(bytes[..<count])).note?.code == .malformed) }
        #expect(try parse(bytes + [0]).note?.code == .malformed)
        #expect(try parse(bytes, [UInt8](repeating: 9, count: 16)).note?.code == .otherVault)
        let other = try Secret(copying: [UInt8](repeating: 7, count: 32), in: fixture.arena)
        let foreign = try AnchorCopy(at: .file, parsing: bytes, storeID: vault.header.storeID, key: other)
        #expect(foreign == AnchorCopy(at: .file, .wrongTag))
    }
}
