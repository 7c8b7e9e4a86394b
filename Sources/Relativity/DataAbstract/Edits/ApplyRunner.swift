// SPDX-License-Identifier: Apache-2.0

/// The calls that an apply makes.
public protocol ChangeServer: Sendable {
    /// Reads rows with all their fields. More rows than the request asks for do no harm.
    ///
    /// - Throws: `unreadable`.
    func read(_ request: RowRequest) async throws(ApplyFailure) -> RowReading

    /// Calls UpdateData once.
    ///
    /// - Throws: `refused` if the server answered with an exception, `notSent` if it cannot have received the call,
    ///   otherwise `unknownOutcome`: also if the task was cancelled, and if the reply cannot be decoded.
    func update(_ deltas: DeltaStream) async throws(ApplyFailure) -> DeltaStream
}

/// The place where pending changes outlive the process.
public protocol ChangeStore: Sendable {
    /// Saves what is new since the last time. Returns when it is durable.
    func save(_ changes: inout ChangeSet) async throws(PendingFileError)
}

/// Applies a set of changes: makes the effects that the set asks for.
public struct ApplyRunner<Server: ChangeServer, Store: ChangeStore>: Sendable {
    private let server: Server
    private let store: Store?

    /// Creates a runner.
    ///
    /// - Parameter store: nil if changes do not outlive the process.
    public init(_ server: Server, store: Store?) {
        self.server = server
        self.store = store
    }

    /// Applies all pending changes. The store has each call before it is sent, so that a later process knows that its
    /// outcome is unknown.
    ///
    /// - Parameters:
    ///   - isForced: as in `ChangeSet.beginApply`.
    ///   - isWhole: as in `ChangeSet.beginApply`.
    ///   - isMerging: as in `ChangeSet.beginApply`.
    /// - Throws: `inFlight`.
    public func apply(
        _ changes: inout ChangeSet,
        isForced: Bool = false,
        isWhole: Bool = false,
        isMerging: Bool = false
    ) async throws(EditError) -> ApplyReport {
        var effect = try changes.beginApply(isForced: isForced, isWhole: isWhole, isMerging: isMerging)
        while true {
            switch effect {
            case .read(let requests):
                do throws(ApplyFailure) {
                    var readings: [RowReading] = []
                    for request in requests { readings.append(try await server.read(request)) }
                    effect = try next(&changes) { changes throws(EditError) in try changes.rowsRead(readings) }
                } catch {
                    effect = try changes.stopped(error)
                }
            case .send(let deltas):
                do throws(ApplyFailure) {
                    try await save(&changes)
                    let reply = try await server.update(deltas)
                    effect = try next(&changes) { changes throws(EditError) in try changes.replied(reply) }
                } catch {
                    effect = try changes.stopped(error)
                }
            case .finished(var report):
                do throws(ApplyFailure) {
                    try await save(&changes)
                } catch {
                    report.failure = report.failure ?? error
                }
                return report
            }
        }
    }

    private func save(_ changes: inout ChangeSet) async throws(ApplyFailure) {
        guard let store else { return }
        do throws(PendingFileError) {
            try await store.save(&changes)
        } catch {
            throw .notSaved(error)
        }
    }

    /// The set asked for this result, so it accepts it.
    private func next(
        _ changes: inout ChangeSet,
        _ body: (inout ChangeSet) throws(EditError) -> ApplyEffect
    ) throws(ApplyFailure) -> ApplyEffect {
        do throws(EditError) {
            return try body(&changes)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}

/// Reads the rows that show what a server did with a call of unknown outcome.
extension ChangeServer {
    /// Returns a verdict on each undecided row.
    ///
    /// - Throws: `unreadable`.
    public func verdicts(on changes: ChangeSet) async throws(ApplyFailure) -> [OutcomeVerdict] {
        var readings: [RowReading] = []
        for request in changes.outcomeRequests { readings.append(try await read(request)) }
        guard let verdicts = changes.verdicts(readings) else { throw .unreadable("fields are missing") }
        return verdicts
    }
}
