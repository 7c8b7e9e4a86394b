// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform
import Testing

@testable import Credentials

@Suite("Verdicts of anchors on a file")
struct AnchorVerdictTests {
    /// A numbered save of one vault, which contains the hash of the previous one.
    private static func position(
        _ generation: UInt64,
        copy: UInt8 = 0,
        after: UInt8 = 0,
        store: UInt8 = 1
    )
        -> VaultPosition
    {
        VaultPosition(
            storeID: [UInt8](repeating: store, count: 16),
            generation: generation,
            hash: hash(generation, copy),
            previousHash: hash(generation - 1, after)
        )
    }

    private static func hash(_ generation: UInt64, _ copy: UInt8) -> [UInt8] {
        [UInt8](repeating: copy, count: 24) + withUnsafeBytes(of: generation.littleEndian) { Array($0) }
    }

    private static func found(_ position: VaultPosition) -> AnchorFinding { .found(RollbackAnchor(position)) }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: VaultPosition
        let findings: [AnchorPlace: AnchorFinding]
        let verdict: AnchorVerdict
        /// The generation of the deciding anchor.
        let newest: UInt64?
        var ignored: [AnchorPlace: AnchorFinding.Reason] = [:]
    }

    static let rows = [
        Row(
            testDescription: "no anchor anywhere",
            file: position(5),
            findings: [.file: .none],
            verdict: .unanchored,
            newest: nil
        ),
        Row(
            testDescription: "the last save",
            file: position(5),
            findings: [.file: found(position(5))],
            verdict: .current,
            newest: 5
        ),
        Row(
            testDescription: "one save without its anchor, as after a crash",
            file: position(6),
            findings: [.file: found(position(5))],
            verdict: .newer,
            newest: 5
        ),
        Row(
            testDescription: "saves of another host",
            file: position(9, copy: 3, after: 3),
            findings: [.file: found(position(5))],
            verdict: .newer,
            newest: 5
        ),
        Row(
            testDescription: "an older file",
            file: position(4),
            findings: [.file: found(position(5))],
            verdict: .rollbackSuspected(found: 4, known: 5),
            newest: 5
        ),
        Row(
            testDescription: "another file of the same generation",
            file: position(5, copy: 1),
            findings: [.file: found(position(5))],
            verdict: .forkSuspected(generation: 5),
            newest: 5
        ),
        Row(
            testDescription: "the save after another file of the generation that is known",
            file: position(6, copy: 1, after: 1),
            findings: [.file: found(position(5))],
            verdict: .forkSuspected(generation: 6),
            newest: 5
        ),
        Row(
            testDescription: "an anchor file put back together with the vault, and the provider's",
            file: position(3),
            findings: [.file: found(position(3)), .keyProvider(.secretService): found(position(7))],
            verdict: .rollbackSuspected(found: 3, known: 7),
            newest: 7
        ),
        Row(
            testDescription: "the same, and the memory of the daemon",
            file: position(3),
            findings: [.file: found(position(3)), .memory: found(position(8))],
            verdict: .rollbackSuspected(found: 3, known: 8),
            newest: 8
        ),
        Row(
            testDescription: "a provider that has fallen behind",
            file: position(5),
            findings: [.file: found(position(5)), .keyProvider(.secretService): found(position(2))],
            verdict: .current,
            newest: 5
        ),
        Row(
            testDescription: "two anchors that differ",
            file: position(5),
            findings: [.file: found(position(5)), .keyProvider(.secretService): found(position(5, copy: 1))],
            verdict: .forkSuspected(generation: 5),
            newest: 5
        ),
        Row(
            testDescription: "anchors that prove nothing",
            file: position(2),
            findings: [
                .file: .ignored(.wrongTag), .memory: found(position(9, store: 2)),
                .keyProvider(.systemdCreds): .ignored(.malformed),
            ],
            verdict: .unanchored,
            newest: nil,
            ignored: [.file: .wrongTag, .memory: .otherVault, .keyProvider(.systemdCreds): .malformed]
        ),
        Row(
            testDescription: "one that proves nothing beside one that does",
            file: position(2),
            findings: [.file: .ignored(.otherVault), .keyProvider(.secretService): found(position(6))],
            verdict: .rollbackSuspected(found: 2, known: 6),
            newest: 6,
            ignored: [.file: .otherVault]
        ),
    ]

    @Test("the newest valid anchor decides", arguments: rows)
    func review(row: Row) {
        let review = AnchorReview(of: row.file, row.findings)
        #expect(review.verdict == row.verdict)
        #expect(review.newest?.generation == row.newest)
        #expect(review.ignored == row.ignored)
    }

    @Test("the state keeps the newest save across locks, refuses an older file, and forgets only by acceptance")
    func state() {
        var state = AnchorState()
        #expect(state.status == nil)
        state.opened(Self.position(5), [.file: .none])
        #expect(state.verdict == .unanchored)
        state.wrote([.file], faults: [:])
        state.saved(Self.position(6))
        #expect(state.verdict == .unanchored, "it stays told that nothing was known at the start")
        #expect(state.status?.known == 6)
        // The vault was locked, both files were restored, and it was unlocked.
        state.opened(Self.position(5), [.file: Self.found(Self.position(5))])
        #expect(state.verdict == .rollbackSuspected(found: 5, known: 6))
        #expect(state.newest?.generation == 6)
        state.opened(Self.position(5), [.file: Self.found(Self.position(5))])
        #expect(state.suspicion == .rollbackSuspected(found: 5, known: 6))
        state.accepted(Self.position(5))
        #expect(state.suspicion == nil && state.verdict == .current)
        // The same while it is open.
        state.saw(Self.position(7))
        #expect(state.verdict == .current)
        state.saw(Self.position(4))
        #expect(state.suspicion == .rollbackSuspected(found: 4, known: 5))
        state.saw(Self.position(5))
        #expect(state.suspicion == nil)
        state.refused(.forkSuspected(generation: 6))
        #expect(state.suspicion == .forkSuspected(generation: 6))
        state.opened(Self.position(1, store: 2), [.file: .ignored(.otherVault)])
        #expect(state.verdict == .unanchored)
        #expect(state.status?.notes == [AnchorNote(.otherVault, in: "file")])
    }

    @Test("only the encoded bytes parse as the anchor: no changed bit, other length, other key or other vault")
    func encoding() throws {
        let fixture = try VaultFixture(seed: 3)
        let vault = try fixture.open(try fixture.file())
        let anchor = RollbackAnchor(VaultPosition(vault))
        let bytes = try anchor.encoded(key: vault.keys.anchor.secret)
        func parse(_ bytes: [UInt8], _ storeID: [UInt8]? = nil) throws -> AnchorFinding {
            try AnchorFinding(parsing: bytes, storeID: storeID ?? vault.header.storeID, key: vault.keys.anchor.secret)
        }
        #expect(bytes.count == RollbackAnchor.byteCount)
        #expect(try parse(bytes) == .found(anchor))
        for bit in 0..<(bytes.count * 8) {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            guard case .ignored = try parse(flipped) else {
                Issue.record("bit \(bit) is not guarded")
                continue
            }
        }
        for count in 0..<bytes.count { #expect(try parse(Array(bytes[..<count])) == .ignored(.malformed)) }
        #expect(try parse(bytes + [0]) == .ignored(.malformed))
        #expect(try parse(bytes, [UInt8](repeating: 9, count: 16)) == .ignored(.otherVault))
        let other = try Secret(copying: [UInt8](repeating: 7, count: 32), in: fixture.arena)
        let foreign = try AnchorFinding(parsing: bytes, storeID: vault.header.storeID, key: other)
        #expect(foreign == .ignored(.wrongTag))
    }
}
