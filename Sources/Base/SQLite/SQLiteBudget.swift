// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc

/// What the statements of one connection may use: memory, bytes of files, and time.
///
/// A statement that exceeds a bound fails, and the connection can be used further. The files are the database and those
/// that SQLite makes for sorts and intermediate results.
package final class SQLiteBudget {
    /// A bound that was reached.
    package enum Bound: Sendable, Hashable {
        case memory
        case files
        case time
    }

    fileprivate let pointer = UnsafeMutablePointer<relq_budget>.allocate(capacity: 1)
    /// The maximum time of one step.
    private let time: Duration
    private var end: ContinuousClock.Instant?
    /// The end of all steps that begin from now on, also of those whose own time is not over; nil for none.
    package var deadline: ContinuousClock.Instant?

    /// - Parameters:
    ///   - memory: bytes, all of SQLite's own memory.
    ///   - files: bytes.
    ///   - time: that one call of `SQLiteStatement.step` may take.
    package init(memory: Int, files: Int, time: Duration) {
        pointer.initialize(to: relq_budget(memory: Int64(memory), files: Int64(files), reached: Int32(RELQ_NONE)))
        self.time = time
    }

    deinit { pointer.deallocate() }

    /// The bound that the last failed call has reached; nil if it failed for another reason.
    package var reached: Bound? {
        switch Int(pointer.pointee.reached) {
        case RELQ_MEMORY: .memory
        case RELQ_FILES: .files
        case RELQ_TIME: .time
        default: nil
        }
    }

    /// Starts the time of a step, and forgets the bound that was reached.
    func startStep() {
        pointer.pointee.reached = Int32(RELQ_NONE)
        startTime()
    }

    /// Starts the time of another call.
    func startTime() {
        let latest = ContinuousClock.now + time
        end = deadline.map { min($0, latest) } ?? latest
    }

    /// Whether the step must end. SQLite asks every few thousand instructions.
    fileprivate var isOver: Bool {
        guard let end, end < .now else { return false }
        pointer.pointee.reached = Int32(RELQ_TIME)
        return true
    }

    /// Makes SQLite stop a step that takes too long, or whose task was cancelled.
    func watch(_ handle: OpaquePointer) {
        sqlite3_progress_handler(
            handle,
            // The number of instructions between two checks, far below a millisecond.
            10_000,
            { context in
                guard !Task.isCancelled, let context else { return 1 }
                return Unmanaged<SQLiteBudget>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}

extension SQLiteBudget? {
    /// Calls SQLite, whose memory and files count.
    @inline(__always)
    func counting<Result>(_ body: () -> Result) -> Result {
        guard let self else { return body() }
        let before = relq_use_budget(self.pointer)
        defer { _ = relq_use_budget(before) }
        return body()
    }
}
