// SPDX-License-Identifier: Apache-2.0

import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

@Suite struct DeltaStreamTests {
    private func delta(_ numbers: inout SeededRandom) throws -> Delta {
        let fields = (0..<Int.random(in: 1...20, using: &numbers)).map { index in
            DataColumn("F\(index)", DataType.allCases[Int.random(in: 1...26, using: &numbers)])
        }
        var delta = Delta(name: "Tä", fields: fields, keys: ["F0"], isReduced: .random(using: &numbers))
        for record in 0..<Int32.random(in: 1...9, using: &numbers) {
            try delta.append(
                DeltaChange.Kind.allCases[Int.random(in: 0..<3, using: &numbers)],
                recordID: record - 3,
                old: fields.map { .random(as: $0.type, &numbers) },
                new: fields.map { .random(as: $0.type, &numbers) },
                status: DeltaChange.Status.allCases[Int.random(in: 0..<3, using: &numbers)],
                message: Bool.random(using: &numbers) ? "nö" : ""
            )
        }
        return delta
    }

    @Test("deltas survive encoding and decoding", arguments: 0..<60)
    func roundTrip(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        let deltas = try [delta(&numbers), delta(&numbers)]
        let bytes = try DeltaStream(deltas).encoded()
        let read = try DeltaStream(decoding: bytes)
        #expect(try read.encoded() == bytes)
        for (left, right) in zip(read.deltas, deltas) {
            #expect(left.fields == right.fields && left.keys == right.keys && left.isReduced == right.isReduced)
            #expect(left.changes.count == right.changes.count)
            for (left, right) in zip(left.changes, right.changes) {
                #expect(left.kind == right.kind && left.status == right.status && left.message == right.message)
                #expect(left.recordID == right.recordID && left.old == right.old && left.new == right.new)
            }
        }
    }

    @Test("decoding rejects a stream truncated at any length")
    func cutShort() throws {
        for bytes in try TableVector.streams("delta-stream") {
            for length in 0..<bytes.readableBytes {
                let cut = bytes.getSlice(at: 0, length: length) ?? ByteBuffer()
                #expect(throws: TableError.self) { try DeltaStream(decoding: cut) }
            }
        }
    }

    @Test("decoding rejects a stream with changed bytes, or reads every cell of it", arguments: 0..<40)
    func mutations(seed: UInt64) throws {
        var numbers = SeededRandom(seed: seed)
        for bytes in try TableVector.streams("delta-stream") {
            guard let stream = try? DeltaStream(decoding: bytes.mutated(&numbers)) else { continue }
            let again = try DeltaStream(decoding: try stream.encoded())
            for (left, right) in zip(stream.deltas, again.deltas) {
                for (left, right) in zip(left.changes, right.changes) {
                    #expect("\(Array(left.old) + Array(left.new))" == "\(Array(right.old) + Array(right.new))")
                }
            }
        }
    }

    @Test("decoding rejects unknown kinds, unknown states and wrong counts at their offset")
    func refusals() throws {
        var delta = Delta(name: "T", fields: [DataColumn("A", .byte)], keys: [])
        try delta.append(.update, recordID: 1, old: [.integer(1)], new: [.null])
        let bytes = try DeltaStream([delta]).encoded()
        // Number of changes, type of the field, the number again, kind, status, length of the message.
        let wrong: [(offset: Int, UInt8)] = [(12, 2), (25, 0), (25, 27), (31, 2), (35, 3), (43, 3), (47, 200)]
        for (offset, value) in wrong {
            var changed = bytes
            changed.setInteger(value, at: offset)
            #expect(throws: TableError.self, "\(offset)") { try DeltaStream(decoding: changed) }
        }
        #expect(throws: TableError.malformed(reason: "a delta among tables", offset: 12)) {
            try TableStream(decoding: bytes)
        }
        let tables = try TableStream([DataTable(name: "T", columns: [])]).encoded()
        #expect(throws: TableError.malformed(reason: "something else among deltas", offset: 12)) {
            try DeltaStream(decoding: tables)
        }
    }

    @Test("append rejects a change that does not fit and leaves the delta unchanged")
    func unfit() throws {
        var delta = Delta(name: "T", fields: [DataColumn("A", .byte)], keys: [])
        #expect(throws: TableError.unfit(column: "A", type: .byte)) {
            try delta.append(.update, recordID: 1, old: [.integer(1)], new: [.text("x")])
        }
        #expect(throws: TableError.valueCount(expected: 1, found: 0)) {
            try delta.append(.update, recordID: 1, old: [], new: [.null])
        }
        #expect(delta.changes.isEmpty)
        #expect(try DeltaStream([delta]).encoded().readableBytes == 12 + 4 + 4 + 4 + 5 + 4)
    }

    @Test("the limit for rows also counts changes")
    func limits() throws {
        var delta = Delta(name: "T", fields: [DataColumn("A", .byte)], keys: [])
        for record in 0..<3 { try delta.append(.insert, recordID: Int32(record), old: [.null], new: [.null]) }
        let bytes = try DeltaStream([delta, delta]).encoded()
        #expect(throws: Never.self) { try DeltaStream(decoding: bytes, limits: TableLimits(rows: 6)) }
        #expect(throws: TableError.self) { try DeltaStream(decoding: bytes, limits: TableLimits(rows: 5)) }
    }
}
