// SPDX-License-Identifier: Apache-2.0

import Locks
import NIOCore
import RandomRuns
import TestSupport
import Testing

@testable import DataAbstract

/// A server whose calls fail as scripted.
private final class ScriptedServer: ChangeServer {
    struct State {
        var server: ModelServer
        /// The failures of the next calls; nil succeeds.
        var reads: [ApplyFailure?] = []
        var updates: [ApplyFailure?] = []
        var updateCount = 0
    }

    let state: Lock<State>

    init(_ state: State) {
        self.state = Lock(state)
    }

    func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading {
        try state.withLock { state throws(ApplyFailure) in
            if !state.reads.isEmpty, let failure = state.reads.removeFirst() { throw failure }
            do {
                return try state.server.read(request)
            } catch {
                throw .unreadable("\(error)")
            }
        }
    }

    func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream {
        try state.withLock { state throws(ApplyFailure) in
            state.updateCount += 1
            if !state.updates.isEmpty, let failure = state.updates.removeFirst() { throw failure }
            do {
                return try state.server.update(deltas)
            } catch {
                throw .refused("\(error)")
            }
        }
    }
}

/// A store that keeps a file in memory, or fails.
private final class MemoryStore: ChangeStore {
    struct State {
        var journal = PendingJournal()
        var file = ByteBuffer()
        var failsFrom = Int.max
        var count = 0
    }

    let state = Lock(State())

    func save(_ changes: inout ChangeSet) async throws(PendingFileError) {
        try state.withLock { state throws(PendingFileError) in
            state.count += 1
            guard state.count < state.failsFrom else { throw .system("write", 28) }
            if state.file.readableBytes == 0 {
                state.file = try state.journal.snapshot(of: &changes)
            } else {
                state.file.writeImmutableBuffer(try state.journal.changes(of: &changes))
            }
        }
    }

    /// The changes as a later process finds them.
    func restored() throws -> ChangeSet {
        var journal = PendingJournal()
        return try journal.read(state.withLock { $0.file }).set
    }
}

@Suite struct ApplyRunnerTests {
    private func edited() throws -> (ModelServer, ChangeSet) {
        let server = ModelShop.server()
        var set = try ModelShop.changes(of: server)
        try set.edit("Orders") { table throws(EditError) in
            _ = try table.append(["Client": .text("Dan")])
            try table.set("Status", of: RowID(0), to: .integer(2))
        }
        try set.edit("OrderDetails") { table throws(EditError) in
            _ = try table.append(["Order": .integer(-1), "Product": .integer(1)])
        }
        return (server, set)
    }

    @Test("an apply runs to its end, and the store follows")
    func success() async throws {
        var (model, set) = try edited()
        model.answers = [.failed]
        let (server, store) = (ScriptedServer(.init(server: model)), MemoryStore())
        let report = try await ApplyRunner(server, store: store).apply(&set)
        #expect(report.accepted.count == 2 && report.failed.count == 1 && report.calls == 2)
        let restored = try store.restored()
        #expect(restored.changedRows == set.changedRows && restored.phase == .idle && set.changedRows.count == 1)
        #expect(restored.tables[0].row(RowID(0))?.failure == "rejected")
    }

    @Test("a call that was refused or not sent leaves all changes pending")
    func definiteFailures() async throws {
        for failure in [ApplyFailure.refused("no"), .notSent("no route")] {
            var (model, set) = try edited()
            model.answers = []
            let (server, store) = (ScriptedServer(.init(server: model, updates: [failure])), MemoryStore())
            let report = try await ApplyRunner(server, store: store).apply(&set)
            #expect(report.failure == failure && set.phase == .idle && set.changedRows.count == 3)
            #expect(try store.restored().phase == .idle && store.restored().changedRows == set.changedRows)
        }
        var (model, set) = try edited()
        model.answers = []
        let server = ScriptedServer(.init(server: model, reads: [.unreadable("cut")]))
        let report = try await ApplyRunner(server, store: MemoryStore()).apply(&set)
        #expect(report.failure == .unreadable("cut") && set.phase == .idle && set.changedRows.count == 3)
        #expect(server.state.withLock { $0.updateCount } == 0)
    }

    @Test("nothing is sent if the changes cannot be saved; a failure after the reply is reported")
    func unsaved() async throws {
        for count in 1...3 {
            let (model, changes) = try edited()
            var set = changes
            let (server, store) = (ScriptedServer(.init(server: model)), MemoryStore())
            store.state.withLock { $0.failsFrom = count }
            let report = try await ApplyRunner(server, store: store).apply(&set)
            #expect(report.failure == .notSaved(.system("write", 28)) && set.phase == .idle)
            #expect(server.state.withLock { $0.updateCount } == count - 1)
            #expect(set.changedRows.count == [3, 1, 0][count - 1])
            if count > 1 { #expect(try !store.restored().undecidedRows.isEmpty) }
        }
    }
}
