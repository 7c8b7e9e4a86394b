// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The possible results of a loss of power during a save, computed from the recorded operations.
@Suite(
    "Loss of power during a save",
    .enabled(if: Requirement.allMet([.program("strace")])),
    .timeLimit(.minutes(2))
)
struct ReplayTests {
    private let fixture = ProbeFixture(keepingState: true)
    private var vault: String { fixture.data + "/vault.rcv" }
    private var audit: String { fixture.state + "/audit.jsonl" }

    private struct Log {
        let existing: Set<String>
        var operations: [FileOperation]
    }

    private func record(_ commands: [String], on files: [String: [UInt8]]) async throws -> Log {
        fixture.restore(files)
        // The first reader creates the lock file, which is empty.
        let existing = Set((Array(files.keys) + ["data/vault.lock"]).map(fixture.temporary.path))
        let recording = try await Tracer(fixture: fixture).record(commands)
        return Log(existing: existing, operations: FileOperation.all(of: recording, existing: existing))
    }

    /// The faults in the possible states after a crash, and the number of states.
    private func verdict(on log: Log) -> (faults: Set<String>, states: Int) {
        var model = CrashModel(existing: log.existing)
        var faults: Set<String> = []
        var states: Set<[String: CrashModel.Survivor]> = []
        for operation in log.operations {
            model.perform(operation)
            for state in model.crashStates {
                states.insert(state)
                if state[vault] == nil, log.existing.contains(vault) { faults.insert("no vault") }
                // Without a vault there is no key under which the log could record the change.
                let isChanged = log.existing.contains(vault) && state[vault]?.file.number != 0
                if isChanged, state[audit]?.isWhole == false {
                    faults.insert("a change that was not told")
                }
                // The audit log only grows, and a torn end is cut off.
                let files = state.filter {
                    !$0.key.hasSuffix(ProbeFixture.temporarySuffix) && !$0.key.hasSuffix(".lock") && $0.key != audit
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

    @Test("leaves the old or the new file intact, and the new one after the save was confirmed")
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

    @Test("would be detected by this test if one sync were missing or late")
    func weakenedSaves() async throws {
        let files = try await fixture.created(logins: ["one", "two"])
        let log = try await record(["open", "add new"], on: files)
        let syncs = log.operations.indices.filter { index in
            if case .synchronize = log.operations[index] { true } else { false }
        }
        #expect(syncs.count == 5, "the audit log; file and directory of the vault and of the anchor: \(log.operations)")
        // The last anchor may be missing. Then the previous anchor is there, and the vault is newer than it.
        let expected: [Set<String>] = [
            ["a change that was not told"], ["torn: vault.rcv"], ["a save that was confirmed is lost"],
            ["torn: anchor"],
            [],
        ]
        for (index, faults) in zip(syncs, expected) {
            var without = log
            without.operations.remove(at: index)
            #expect(verdict(on: without).faults == faults)
        }
        var late = log
        let sync = late.operations.remove(at: syncs[1])
        late.operations.insert(sync, at: syncs[2])
        #expect(verdict(on: late).faults.contains("torn: vault.rcv"))
    }
}
