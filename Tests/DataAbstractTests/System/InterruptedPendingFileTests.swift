// SPDX-License-Identifier: Apache-2.0

import Glibc
import RandomRuns
import TestSupport
import Testing

/// Each system call of the saves of a process is made the last one, and made to fail, in separate runs.
@Suite(
    "Pending files whose saves are interrupted at every system call",
    .enabled(if: Requirement.allMet([.program("strace")])),
    .timeLimit(.minutes(5))
)
struct InterruptedPendingFileTests {
    private struct Call: CustomStringConvertible {
        let name: String
        let ordinal: Int

        var description: String { "\(name) \(ordinal)" }
    }

    private static let names = ["openat", "flock", "fstat", "newfstatat", "read", "write", "fsync", "rename", "close"]
    private static let errors = ["ENOSPC", "EIO", "EINTR", "EDQUOT"]
    private static let program = Products.path(of: "random-probe")

    @Test("a process that is killed or fails leaves a file with each confirmed change")
    func interrupted() async throws {
        let calls = try await Self.recorded()
        #expect(calls.count > 25, "\(calls)")
        // A debug build takes long to start.
        let isWhole = Soak.isOn || Products.released != nil
        let chosen = isWhole ? calls : calls.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let totals = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var totals: [String: Int] = [:]
                    for index in stride(from: worker, to: chosen.count, by: 4) {
                        let error = Self.errors[index % Self.errors.count]
                        for fault in ["signal=KILL"] + (isWhole || index % 3 == 0 ? ["error=\(error)"] : []) {
                            totals[try await Self.run(chosen[index], fault), default: 0] += 1
                        }
                    }
                    return totals
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        #expect(totals["killed"] == chosen.count)
        print("saves of pending changes, \(chosen.count) of \(calls.count) system calls: \(totals)")
    }

    /// The system calls from the first one on the file to the last save.
    private static func recorded() async throws -> [Call] {
        let folder = TemporaryDirectory()
        let trace = folder.path(of: "trace")
        let options = ["--trace=\(names.joined(separator: ","))", "-o", trace]
        let command = ["strace"] + options + [program, "save", folder.path(of: "p")]
        #expect(try await Command(command).succeed() == "0\n1\n2\n3\n")
        var counts: [String: Int] = [:]
        var calls: [Call] = []
        var hasBegun = false
        for line in TextFile.text(of: trace).split(separator: "\n") {
            guard let name = line.firstMatch(of: /^(\w+)\(/).map({ String($0.1) }) else { continue }
            counts[name, default: 0] += 1
            hasBegun = hasBegun || line.contains("/p.lock")
            // The confirmations are written to standard output.
            if hasBegun, !line.hasPrefix("write(1,") { calls.append(Call(name: name, ordinal: counts[name] ?? 0)) }
        }
        return calls
    }

    private static func run(_ call: Call, _ fault: String) async throws -> String {
        let folder = TemporaryDirectory()
        let file = folder.path(of: "p")
        let injection = "\(call.name):\(fault):when=\(call.ordinal)"
        let options = ["--trace=\(call.name)", "--inject=\(injection)", "-o", "/dev/null"]
        let result = try await Command(["strace"] + options + [program, "save", file]).run()
        let confirmed = result.standardOutput.split(separator: "\n").count { Int($0) != nil }
        let count = try EditorRuns.countSaved(file: file)
        #expect((confirmed...confirmed + 1).contains(count), "\(call), \(fault): \(result), then \(count)")
        // The next user of the file saves four more.
        try EditorRuns.save(file: file) { _ in }
        #expect(try EditorRuns.countSaved(file: file) == count + 4, "\(call), \(fault)")
        if fault == "signal=KILL" { return result.status == 0 ? "not killed" : "killed" }
        return result.status == 0 ? "tolerated" : "failed"
    }
}
