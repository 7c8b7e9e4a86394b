// SPDX-License-Identifier: Apache-2.0

import Glibc
import RandomRuns
import TestSupport
import Testing

/// Each system call of the saves of a process is made the last one, and made to fail, in separate runs.
@Suite(
    "Pending files and briefcases whose saves are interrupted at every system call",
    .enabled(if: Requirement.allMet([.program("strace")])),
    .timeLimit(.minutes(5))
)
struct InterruptedPendingFileTests {
    private struct Call: CustomStringConvertible {
        let name: String
        let ordinal: Int

        var description: String { "\(name) \(ordinal)" }
    }

    /// A verb of the program that saves.
    enum Subject: String, CaseIterable {
        case pending = "save"
        case file = "save-file"
        case folder = "save-folder"

        /// The number of saves of the program.
        var saves: Int { self == .pending ? 4 : 2 }

        func save(_ path: String) throws {
            switch self {
            case .pending: try EditorRuns.save(file: path) { _ in }
            case .file, .folder: try BriefcaseRuns.save(path, isFolder: self == .folder) { _ in }
            }
        }

        func countSaved(_ path: String) throws -> Int {
            self == .pending ? try EditorRuns.countSaved(file: path) : try BriefcaseRuns.countSaved(path)
        }
    }

    private static let names = [
        "openat", "flock", "fstat", "newfstatat", "read", "write", "fsync", "linkat", "rename", "unlink", "mkdir",
        "close",
    ]
    private static let errors = ["ENOSPC", "EIO", "EINTR", "EDQUOT"]
    private static let program = Products.path(of: "random-probe")

    @Test("a process that is killed or fails leaves each confirmed save", arguments: Subject.allCases)
    func interrupted(_ subject: Subject) async throws {
        let calls = try await Self.recorded(subject)
        #expect(calls.count > 25, "\(calls)")
        // A debug build takes long to start.
        let isWhole = Soak.isOn || Products.released != nil
        let step = subject == .folder ? 7 : 3
        let chosen = isWhole ? calls : calls.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        let totals = try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<4 {
                group.addTask {
                    var totals: [String: Int] = [:]
                    for index in stride(from: worker, to: chosen.count, by: 4) {
                        let error = Self.errors[index % Self.errors.count]
                        for fault in ["signal=KILL"] + (Soak.isOn || index % 3 == 0 ? ["error=\(error)"] : []) {
                            totals[try await Self.run(subject, chosen[index], fault), default: 0] += 1
                        }
                    }
                    return totals
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        #expect(totals["killed"] == chosen.count)
        print("\(subject.rawValue), \(chosen.count) of \(calls.count) system calls: \(totals)")
    }

    /// The system calls from the first one on the file to the last save.
    private static func recorded(_ subject: Subject) async throws -> [Call] {
        let folder = TemporaryDirectory()
        let trace = folder.path(of: "trace")
        let options = ["--trace=\(names.joined(separator: ","))", "-o", trace]
        let command = ["strace"] + options + [program, subject.rawValue, folder.path(of: "p")]
        let printed = try await Command(command).succeed()
        #expect(printed.split(separator: "\n").count == subject.saves)
        var counts: [String: Int] = [:]
        var calls: [Call] = []
        var hasBegun = false
        for line in TextFile.text(of: trace).split(separator: "\n") {
            guard let name = line.firstMatch(of: /^(\w+)\(/).map({ String($0.1) }) else { continue }
            counts[name, default: 0] += 1
            hasBegun = hasBegun || line.contains("/p.lock") || line.hasPrefix("mkdir(")
            // The confirmations are written to standard output.
            if hasBegun, !line.hasPrefix("write(1,") { calls.append(Call(name: name, ordinal: counts[name] ?? 0)) }
        }
        return calls
    }

    private static func run(_ subject: Subject, _ call: Call, _ fault: String) async throws -> String {
        let folder = TemporaryDirectory()
        let file = folder.path(of: "p")
        let injection = "\(call.name):\(fault):when=\(call.ordinal)"
        let options = ["--trace=\(call.name)", "--inject=\(injection)", "-o", "/dev/null"]
        let result = try await Command(["strace"] + options + [program, subject.rawValue, file]).run()
        let confirmed = result.standardOutput.split(separator: "\n").count { Int($0) != nil }
        let count = try subject.countSaved(file)
        #expect((confirmed...confirmed + 1).contains(count), "\(call), \(fault): \(result), then \(count)")
        // The next user saves more.
        try subject.save(file)
        #expect(try subject.countSaved(file) == count + subject.saves, "\(call), \(fault)")
        if fault == "signal=KILL" { return result.status == 0 ? "not killed" : "killed" }
        return result.status == 0 ? "tolerated" : "failed"
    }
}
