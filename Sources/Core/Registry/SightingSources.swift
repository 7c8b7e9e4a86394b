// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// Holds the progress of each source of sightings, and the callers that wait until all sources have settled. The
/// sightings themselves are in `RegistryState`.
struct SightingSources {
    /// Whether there will be a source. Until it has begun, nothing has settled.
    let areExpected: Bool
    private var progress: [SourceName: SourceProgress] = [:]
    private var waiting: [EventLoopPromise<Void>] = []

    init(areExpected: Bool) {
        self.areExpected = areExpected
    }

    /// Whether every source has reported everything that it knew at the start, or does not work.
    var isSettled: Bool { progress.isEmpty ? !areExpected : progress.values.allSatisfy(\.isWorthAsking) }

    /// The number of callers that wait until the sources have settled.
    var waitingCount: Int { waiting.count }

    /// The status of all sources, sorted by name.
    var status: [SourceStatus] {
        progress.sorted { $0.key < $1.key }.map { name, progress in
            SourceStatus(
                name: name.text,
                state: progress.state == .up ? .up : .down,
                fault: progress.fault,
                settled: progress.isSettled,
                upSeconds: progress.upSince.map { (.now() - $0).nanoseconds / 1_000_000_000 },
                heardSecondsAgo: progress.heardAt.map { (.now() - $0).nanoseconds / 1_000_000_000 }
            )
        }
    }

    /// Starts the progress of a source.
    ///
    /// - Parameter resend: asks the source to report everything again.
    mutating func begin(_ source: SourceName, resend: @escaping @Sendable () -> Void) {
        progress[source] = SourceProgress(resend: resend)
    }

    mutating func note(_ event: SightingEvent, from source: SourceName) { progress[source]?.note(event) }

    /// Replaces the timer of a source.
    ///
    /// - Parameter timer: forgets the sightings that the source did not report again.
    mutating func delayForgetting(of source: SourceName, _ timer: Scheduled<Void>) {
        progress[source]?.forgetting = timer
    }

    /// Asks all sources to report everything again.
    func resend() {
        for source in progress.values { source.resend() }
    }

    /// Adds a caller that waits.
    ///
    /// - Parameter promise: completed once the sources have settled.
    mutating func wait(_ promise: EventLoopPromise<Void>) { waiting.append(promise) }

    mutating func stopWaiting(_ promise: EventLoopPromise<Void>) {
        waiting.removeAll { $0.futureResult === promise.futureResult }
    }

    /// Completes the waiting promises if the sources have settled.
    mutating func completeIfSettled() {
        guard isSettled else { return }
        for promise in waiting { promise.succeed() }
        waiting = []
    }
}

/// The progress of one source of sightings.
struct SourceProgress {
    /// Asks the source to report everything again.
    let resend: @Sendable () -> Void
    var state: SourceState?
    var isSettled = false
    var upSince: NIODeadline?
    var heardAt: NIODeadline?
    /// Forgets the sightings that the source did not report again.
    var forgetting: Scheduled<Void>?

    /// The reason why the source does not work; nil if it works.
    var fault: SourceFault? {
        switch state {
        case .up: nil
        case .down(let fault): fault
        case nil: SourceFault(.notStarted)
        }
    }

    /// Whether the source has reported everything that it knew at the start, or does not work.
    var isWorthAsking: Bool { isSettled || (state != nil && state != .up) }

    mutating func note(_ event: SightingEvent) {
        switch event {
        case .source(let new):
            state = new
            isSettled = false
            forgetting?.cancel()
            upSince = new == .up ? .now() : nil
            heardAt = nil
        case .settled:
            isSettled = true
        case .sighted:
            heardAt = .now()
        case .vanished, .lost:
            break
        }
    }
}
