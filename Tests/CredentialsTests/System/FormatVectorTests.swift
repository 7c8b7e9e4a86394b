// SPDX-License-Identifier: Apache-2.0

import JSON
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Format vectors")
struct FormatVectorTests {
    /// The number of vectors may only increase.
    private static let fewest = 406

    private struct Made {
        let vector: FormatVector
        let bytes: [UInt8]
    }

    private static func make(in arena: SecretArena) throws -> [Made] {
        let text = try GoldenVault.bytes(of: "Format/index.json")
        guard let index = try JSONValue(parsing: text).objectValue else { throw FormatVector.Malformed() }
        guard let dataKey = HexText.decode(try index.string("dataKey")) else { throw FormatVector.Malformed() }
        let base = try FormatBase(try GoldenVault.bytes(of: GoldenVault.fileName), dataKey: dataKey, in: arena)
        return try index.objects("vectors").map { object in
            let vector = try FormatVector(object)
            return Made(vector: vector, bytes: try vector.make(from: base))
        }
    }

    @Test("each recipe yields the bytes of the digest next to it")
    func recipes() throws {
        let made = try Self.make(in: try SecretArena())
        #expect(made.count >= Self.fewest)
        #expect(Set(made.map(\.vector.name)).count == made.count)
        #expect(Set(made.map(\.vector.sha256)).count >= made.count - 10, "vectors differ, but for what opens them")
        for one in made {
            #expect(HexText.encode(SHA256.digest(of: one.bytes)) == one.vector.sha256, "\(one.vector.name)")
        }
    }

    @Test("every vector is read, or refused for its one fault")
    func ourReader() throws {
        let arena = try SecretArena()
        var counts: [String: Int] = [:]
        for one in try Self.make(in: arena) {
            let vector = one.vector
            let outcome = try VaultReading.outcome(of: one.bytes, kind: vector.kind, secret: vector.secret, in: arena)
            #expect(outcome == vector.expected, "\(vector.name)")
            counts[vector.outcome, default: 0] += 1
        }
        let total = counts.values.reduce(0, +)
        let summary = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("format vectors: \(total) read: \(summary)")
        #expect(total >= Self.fewest)
        #expect(counts.count == 15, "there is one of every fault, and sound ones")
    }

    @Test("sealing a content again, with the same salt, yields the same file without what no program has written")
    func canonical() throws {
        let arena = try SecretArena()
        let written = try Self.make(in: arena).filter { $0.vector.name.hasSuffix("only what is written") }.map(\.bytes)
        try #require(written.count == 2)
        let golden = try GoldenVault.bytes(of: GoldenVault.fileName)
        for (read, expected) in zip([golden] + written, [written[0]] + written) {
            let vault = try OpenVault.open(
                try VaultFile(parsing: read),
                kind: .credentialsDirectory,
                secret: SharedSecret(try Secret(copying: GoldenVault.key, in: arena)),
                in: arena
            )
            var draft = VaultDraft(after: vault)
            draft.header = vault.header
            #expect(try draft.sealed(random: GoldenVault.Replay(salt: vault.header.saveSalt)) == expected)
        }
    }

    @Test("the independent reader agrees on every vector")
    func independentReader() async throws {
        guard let reader = try await IndependentReader.ifAvailable() else { return }
        let made = try Self.make(in: try SecretArena())
        var batch = ReaderBatch()
        for one in made { batch.add(one.bytes, kind: one.vector.kind, secret: one.vector.secret) }
        let outcomes = try await batch.outcomes(of: reader)
        #expect(outcomes.count == made.count)
        for (one, outcome) in zip(made, outcomes) { #expect(outcome == one.vector.expected, "\(one.vector.name)") }
        print(
            "format vectors: the independent reader agrees on \(zip(made, outcomes).count { $0.vector.expected == $1 })"
        )
    }
}
