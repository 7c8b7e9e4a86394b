// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Audit log: the vector and the second reader", .timeLimit(.minutes(2)))
struct AuditGoldenTests {
    private let fixture: AuditFixture
    private let head: VaultKeys.AuditHead
    private let lines: [[UInt8]]

    init() throws {
        fixture = try AuditFixture()
        head = try fixture.writeSmallLog(fixture.writer())
        lines = try fixture.bytes.split(separator: UInt8(ascii: "\n")).map(Array.init)
    }

    @Test("the same events at the same times yield the log of docs/audit.md")
    func vector() throws {
        let vector = try #require(TextFile.read(try GoldenVault.path(of: "audit.jsonl"), maximumBytes: 1 << 20))
        #expect(String(decoding: try fixture.bytes, as: UTF8.self) == vector)
    }

    @Test("Tests/Tools/read_audit.py agrees with the verifier, for intact logs and changed ones")
    func secondReader() async throws {
        var logs = [lines]
        for index in stride(from: 0, to: lines.count, by: 2) {
            var removed = lines
            removed.remove(at: index)
            var repeated = lines
            repeated.insert(lines[index], at: index)
            var flipped = lines
            flipped[index][(index * 37) % flipped[index].count] ^= 1
            logs += [removed, repeated, flipped]
        }
        var faults = 0
        for log in logs {
            let bytes = log.flatMap { $0 + [UInt8(ascii: "\n")] }
            fixture.temporary.write(bytes, to: "log")
            let ours = try fixture.report(on: bytes, heads: [head])
            let theirs = try await read(fixture.temporary.path(of: "log"))
            #expect((ours.fault == nil) == (theirs["fault"] == .some(.null)), "\(ours), \(theirs)")
            guard let fault = ours.fault else {
                #expect(theirs["lines"]?.integerValue == ours.lines)
                #expect(theirs["keyed"]?.integerValue == ours.keyed)
                continue
            }
            faults += 1
            #expect(theirs["line"]?.integerValue == fault.line, "\(fault), \(theirs)")
        }
        print("audit: the second reader agrees on \(logs.count) logs, \(faults) of them changed")
    }

    private func read(_ path: String) async throws -> JSONObject {
        let script = try GoldenVault.path(of: "../../Tools/read_audit.py")
        let key = HexText.encode(0..<32)
        let output = try await Command([
            "python3", script, key, "\(head.sequence)", HexText.encode(head.tag), path,
        ]).run()
        return try #require(try JSONValue(parsing: Array(output.standardOutput.utf8)).objectValue, "\(output)")
    }
}
