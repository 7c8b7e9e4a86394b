// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// What a loss of power may leave of a save, worked out from the operations that were recorded.
@Suite(
    "Loss of power during a save",
    .enabled(if: Requirement.allMet([.program("strace")])),
    .timeLimit(.minutes(2))
)
struct ReplayTests {
    private let fixture = ProbeFixture()
    private var vault: String { fixture.data + "/vault.rcv" }

    private struct Log {
        let existing: Set<String>
        var operations: [FileOperation]
    }

    private func record(_ commands: [String], on files: [String: [UInt8]]) async throws -> Log {
        fixture.restore(files)
        // Made by the first who looks; it holds nothing.
        let existing = Set((Array(files.keys) + ["vault.lock"]).map { fixture.data + "/" + $0 })
        let recording = try await Tracer(fixture: fixture).record(commands)
        return Log(existing: existing, operations: FileOperation.all(of: recording, existing: existing))
    }

    /// What is wrong with what a crash may leave, and how many possibilities there are.
    private func verdict(on log: Log) -> (faults: Set<String>, states: Int) {
        var model = CrashModel(existing: log.existing)
        var faults: Set<String> = []
        var states: Set<[String: CrashModel.Survivor]> = []
        for operation in log.operations {
            model.perform(operation)
            for state in model.crashStates {
                states.insert(state)
                if state[vault] == nil, log.existing.contains(vault) { faults.insert("no vault") }
                let files = state.filter {
                    !$0.key.hasSuffix(ProbeFixture.temporarySuffix) && !$0.key.hasSuffix(".lock")
                }
                for (name, survivor) in files where !survivor.isWhole {
                    faults.insert("torn: \(name.split(separator: "/").last ?? "")")
                }
            }
        }
        for state in model.crashStates where state[vault]?.file.number == 0 || state[vault] == nil {
            faults.insert("a save that was confirmed is lost")
        }
        return (faults, states.count)
    }

    @Test("leaves the old file or the new, whole, and after the save has been confirmed the new")
    func everyState() async throws {
        let files = try await fixture.created(logins: ["one", "two"])
        for commands in [["open", "add new"], ["open", "remove one"], ["create"]] {
            let log = try await record(commands, on: commands == ["create"] ? [:] : files)
            let (faults, states) = verdict(on: log)
            #expect(faults.isEmpty, "\(commands): \(log.operations)")
            #expect(states > 3)
            print(
                "\(commands.last ?? ""): \(log.operations.count) operations, \(states) states after a crash, none wrong"
            )
        }
    }

    @Test("would be noticed by this test if one sync were missing or late")
    func weakenedSaves() async throws {
        let files = try await fixture.created(logins: ["one", "two"])
        let log = try await record(["open", "add new"], on: files)
        let syncs = log.operations.indices.filter { index in
            if case .synchronize = log.operations[index] { true } else { false }
        }
        #expect(syncs.count == 2, "one of the file and one of the directory: \(log.operations)")
        let expected: [Set<String>] = [["torn: vault.rcv"], ["a save that was confirmed is lost"]]
        for (index, fault) in zip(syncs, expected) {
            var without = log
            without.operations.remove(at: index)
            #expect(verdict(on: without).faults.isSuperset(of: fault))
        }
        var late = log
        let sync = late.operations.remove(at: syncs[0])
        late.operations.insert(sync, at: syncs[1])
        #expect(verdict(on: late).faults.contains("torn: vault.rcv"))
    }
}
