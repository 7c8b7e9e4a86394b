// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

/// A library that is loaded before libcrypto makes each call into it fail in turn, in a separate process.
@Suite("Failing libcrypto", .enabled(if: Requirement.allMet([.program("cc")])))
struct FailingCryptoTests {
    private struct Run: Sendable {
        let outcome: String
        let calls: Int
        /// The number of bytes that secrets still use.
        let left: Int
        /// The number of occurrences of each needle in the process's memory at the end.
        let found: [Int]
    }

    /// The process printed nothing, or failed.
    private struct Mute: Error {
        let arguments: [String]
        let call: Int
        let moment: String
        let status: Int32
    }

    /// The compiled shim, and the vault to open.
    private struct Kit: Sendable {
        let temporary = TemporaryDirectory()

        init() async throws {
            let source = try GoldenVault.path(of: "../../Tools/failing-crypto.c")
            let arguments = ["cc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", shim, source, "-ldl"]
            try await Command(arguments).succeed(deadline: .seconds(60))
            temporary.write(try GoldenVault.bytes(of: GoldenVault.fileName), to: "vault")
        }

        var shim: String { temporary.path(of: "failing.so") }

        func run(_ arguments: [String], _ call: Int, _ moment: String, _ needles: [[UInt8]]) throws -> Run {
            let program = [Products.path(of: "format-probe")] + arguments + ["\(call)", moment]
            let child = try ChildProcess(program, environment: ["LD_PRELOAD": shim])
            guard let words = Self.line(of: child)?.split(separator: " "), words.count == 3, let calls = Int(words[1]),
                let left = Int(words[2])
            else {
                throw Mute(arguments: arguments, call: call, moment: moment, status: child.wait())
            }
            let found = ProcessMemory.count(needles, in: child.pid)
            child.closeInput()
            guard child.wait() == 0 else { throw Mute(arguments: arguments, call: call, moment: moment, status: -1) }
            return Run(outcome: String(words[0]), calls: calls, left: left, found: found)
        }

        private static func line(of child: ChildProcess) -> String? {
            var text: [UInt8] = []
            while !text.contains(0x0A) {
                let piece = child.readOutput()
                guard !piece.isEmpty else { return nil }
                text += piece
            }
            return String(decoding: text.dropLast(), as: UTF8.self)
        }
    }

    /// Names in the payload, and passwords sealed in it.
    private static let names = ["office", "cellar", "börge"].map { Array($0.utf8) }
    private static let password = Array("open sesame".utf8)

    @Test("each failing call of an opening is an error, and leaves no plain text in memory")
    func opening() async throws {
        let kit = try await Kit()
        let needles = Self.names + [Self.password]
        let arguments = ["open", kit.temporary.path(of: "vault"), HexText.encode(GoldenVault.key)]
        let good = try kit.run(arguments, 0, "early", needles)
        #expect(good.outcome == "opened")
        #expect(good.found[..<3].allSatisfy { $0 > 0 }, "an open vault's names are found, so the search works")
        let runs = try await Cores.map(0..<(2 * good.calls)) { index in
            try kit.run(arguments, 1 + index / 2, index.isMultiple(of: 2) ? "early" : "late", needles)
        }
        var outcomes: [String: Int] = [:]
        for (index, run) in runs.enumerated() {
            let parts = run.outcome.split(separator: ":")
            outcomes[run.outcome, default: 0] += 1
            let what = "call \(1 + index / 2) \(index.isMultiple(of: 2) ? "early" : "late"): \(run.outcome)"
            #expect(
                parts.count == 2 && ["crypto", "data-key", "payload", "seal-of-a-login"].contains(parts[1]),
                "\(what)"
            )
            #expect(run.found[3] == 0, "\(what): the password is in memory")
            #expect(run.left == 0, "\(what): a secret is not wiped")
            if parts.first == "vault" { #expect(run.found.allSatisfy { $0 == 0 }, "\(what): a name is in memory") }
        }
        let summary = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("failing libcrypto: \(good.calls) calls of an opening, \(runs.count) failures: \(summary)")
        #expect(good.calls >= 30)
    }

    @Test("each failing call of a sealing is an error without output")
    func sealing() async throws {
        let kit = try await Kit()
        let password = (0..<64).map { UInt8($0 * 37 & 0xFF) ^ 0x5A }
        let good = try kit.run(["seal"], 0, "early", [password])
        #expect(good.outcome == "sealed")
        #expect(good.found == [0])
        let runs = try await Cores.map(0..<(2 * good.calls)) { index in
            try kit.run(["seal"], 1 + index / 2, index.isMultiple(of: 2) ? "early" : "late", [password])
        }
        for (index, run) in runs.enumerated() {
            let what = "call \(1 + index / 2) \(index.isMultiple(of: 2) ? "early" : "late"): \(run.outcome)"
            #expect(["seal:crypto", "seal:payload"].contains(run.outcome), "\(what)")
            #expect(run.found == [0], "\(what): the password is in memory")
            #expect(run.left == 0, "\(what): a secret is not wiped")
        }
        print("failing libcrypto: \(good.calls) calls of a sealing, \(runs.count) failures")
        #expect(good.calls >= 30)
    }
}
