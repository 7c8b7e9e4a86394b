// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// Each system call of a recorded save is made the last one, and made to fail, in separate runs.
@Suite(
    "Saves that are interrupted at every system call",
    .enabled(if: Requirement.allMet([.program("strace")])),
    .timeLimit(.minutes(10))
)
struct InterruptedSaveTests {
    /// A save to interrupt: the content before it, and its command.
    enum Save: String, CaseIterable, CustomTestStringConvertible {
        case first = "create"
        case addition = "add new"
        case removal = "remove one"

        var testDescription: String { rawValue }
        /// The logins in the vault before; nil for no vault.
        var before: Set<String>? { self == .first ? nil : ["one", "two"] }
        var after: Set<String> {
            switch self {
            case .first: []
            case .addition: ["one", "two", "new"]
            case .removal: ["two"]
            }
        }
    }

    private static let errors: [(name: String, number: Int32)] = [
        ("ENOSPC", ENOSPC), ("EIO", EIO), ("EDQUOT", EDQUOT), ("EINTR", EINTR), ("EROFS", EROFS), ("EMFILE", EMFILE),
    ]

    private let fixture = ProbeFixture(keepingState: true)
    private var tracer: Tracer { Tracer(fixture: fixture) }

    private func prepare(_ save: Save) async throws -> (files: [String: [UInt8]], recording: Recording) {
        let files = try await fixture.created(logins: save.before.map { $0.sorted() } ?? [])
        let start = save.before == nil ? [:] : files
        fixture.restore(start)
        let recording = try await tracer.record(opening(save) + [save.rawValue])
        #expect(recording.calls.count > 20, "the system calls are found")
        fixture.restore(start)
        let again = try await tracer.record(opening(save) + [save.rawValue])
        #expect(again.calls.map(\.description) == recording.calls.map(\.description), "two runs are the same")
        return (start, recording)
    }

    private func opening(_ save: Save) -> [String] { save.before == nil ? [] : ["open"] }

    /// Runs all saves simultaneously: each has its own directory, and the traced processes mostly wait.
    private static func eachSaveAtOnce(_ interrupt: @escaping @Sendable (Self, Save) async throws -> Void) async throws
    {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for save in Save.allCases { group.addTask { try await interrupt(Self(), save) } }
            try await group.waitForAll()
        }
    }

    @Test("a process killed before or after any call leaves the old file or the new one")
    func killed() async throws {
        try await Self.eachSaveAtOnce { try await $0.kill(during: $1) }
    }

    private func kill(during save: Save) async throws {
        let (files, recording) = try await prepare(save)
        var results: [String: Int] = [:]
        // A kill after a call is a kill before the next one. After the last call comes the reply.
        for call in recording.calls {
            fixture.restore(files)
            let traced = try await tracer.start(opening(save), injecting: "signal=KILL", at: call)
            #expect(await traced.probe.send(save.rawValue) == .none, "\(save) killed at \(call)")
            #expect(traced.end() == -SIGKILL)
            results[try await judge(save, files, "killed at \(call)"), default: 0] += 1
        }
        fixture.restore(files)
        let last = try ProbeSession(fixture.command)
        for command in opening(save) { _ = await last.send(command) }
        guard case .ok = await last.send(save.rawValue) else { throw ProbeFixture.Unexpected() }
        last.child.signal(SIGKILL)
        last.end()
        #expect(try await judge(save, files, "killed after the last") == "new")
        #expect(results["old", default: 0] > 0 && results["new", default: 0] > 0)
        print(
            "\(save.rawValue): killed before each of \(recording.calls.count) system calls and after the last: \(results)"
        )
    }

    @Test("a failing call is reported with its reason, and a retry succeeds")
    func failed() async throws {
        try await Self.eachSaveAtOnce { try await $0.fail(during: $1) }
    }

    private func fail(during save: Save) async throws {
        let (files, recording) = try await prepare(save)
        var points = 0
        var tolerated: [String: Int] = [:]
        for (index, call) in recording.calls.enumerated() {
            for error in errors(save, at: index) {
                points += 1
                let point = "\(save) with \(error.name) at \(call): \(call.arguments)"
                fixture.restore(files)
                let traced = try await tracer.start(opening(save), injecting: "error=\(error.name)", at: call)
                let reply = await traced.probe.send(save.rawValue)
                switch reply {
                case .none: Issue.record("\(point): no reply")
                case .ok:
                    #expect(try await judge(save, files, point) == "new")
                    tolerated[call.name, default: 0] += 1
                case .error(let text):
                    #expect(text.contains(String(cString: strerror(error.number))), "\(point): \(text)")
                    #expect(fixture.vault == files["data/vault.rcv", default: []], "\(point): \(text)")
                    #expect(fixture.temporaryNames.isEmpty, "\(point)")
                    guard case .ok = await traced.probe.send(save.rawValue) else {
                        Issue.record("\(point): \(text), and it did not succeed afterwards")
                        break
                    }
                    #expect(try await judge(save, files, point) == "new")
                }
                #expect(traced.end() == 0, "\(point)")
            }
        }
        #expect(points == recording.calls.count * errors(save, at: 0).count)
        print(
            "\(save.rawValue): \(recording.calls.count) system calls, \(points) failures; saved all the same: \(tolerated)"
        )
    }

    /// All errors for the usual save; if time is short, every third error for the others, at every third call.
    private func errors(_ save: Save, at index: Int) -> [(name: String, number: Int32)] {
        guard save != .addition, !Soak.isOn else { return Self.errors }
        return Self.errors.enumerated().filter { ($0.offset + index).isMultiple(of: 3) }.map(\.element)
    }

    /// Reads the files on disk, opens the vault as at the next start, and reads the files again.
    ///
    /// - Returns: `old` or `new`.
    private func judge(_ save: Save, _ files: [String: [UInt8]], _ point: String) async throws -> String {
        #expect(fixture.temporaryNames.count <= 1, "\(point)")
        let bytes = fixture.vault
        if bytes == files["data/vault.rcv", default: []] {
            if save.before != nil { #expect(try await fixture.open().logins == save.before, "\(point)") }
        } else {
            let generation: UInt64 = save.before == nil ? 1 : UInt64(3 + 1)
            let sight = try await fixture.open()
            #expect(sight == .init(generation: generation, logins: save.after), "\(point)")
        }
        if save.before != nil { #expect(fixture.temporaryNames.isEmpty, "\(point)") }
        #expect(fixture.vault == bytes, "\(point)")
        return bytes == files["data/vault.rcv", default: []] ? "old" : "new"
    }
}
