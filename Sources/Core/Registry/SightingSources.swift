// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore

/// Sources of sightings, side by side: how far each is, and who waits until they have settled.
struct SightingSources {
    private var progress: [SourceName: SourceProgress] = [:]
    private var waiting: [EventLoopPromise<Void>] = []

    /// Every source has said all it knew at first, or does not work.
    var isSettled: Bool { !progress.isEmpty && progress.values.allSatisfy(\.isWorthAsking) }

    /// How many wait until the sources have settled.
    var waitingCount: Int { waiting.count }

    /// All sources by name.
    var status: [RegistrySourceStatus] {
        progress.map { name, progress in
            RegistrySourceStatus(
                name: name,
                state: progress.state ?? .down(SourceFault(.notStarted)),
                isSettled: progress.isSettled,
                upFor: progress.upSince.map { Duration(.now() - $0) },
                heardAgo: progress.heardAt.map { Duration(.now() - $0) }
            )
        }.sorted { $0.name < $1.name }
    }

    /// - Parameter resend: has the source report once more all that it knows.
    mutating func begin(_ source: SourceName, resend: @escaping @Sendable () -> Void) {
        progress[source] = SourceProgress(resend: resend)
    }

    mutating func note(_ event: SightingEvent, from source: SourceName) { progress[source]?.note(event) }

    /// - Parameter timer: runs when sightings that the source did not report again are forgotten.
    mutating func delayForgetting(of source: SourceName, _ timer: Scheduled<Void>) {
        progress[source]?.forgetting = timer
    }

    /// Has all sources report everything again.
    func resend() {
        for source in progress.values { source.resend() }
    }

    /// - Parameter promise: completed once the sources have settled.
    mutating func wait(_ promise: EventLoopPromise<Void>) { waiting.append(promise) }

    mutating func stopWaiting(_ promise: EventLoopPromise<Void>) {
        waiting.removeAll { $0.futureResult === promise.futureResult }
    }

    /// Completes those who wait, if the sources have settled.
    mutating func completeIfSettled() {
        guard isSettled else { return }
        for promise in waiting { promise.succeed() }
        waiting = []
    }
}

/// How far one source of sightings is.
struct SourceProgress {
    /// Has it report everything once more.
    let resend: @Sendable () -> Void
    var state: SourceState?
    var isSettled = false
    var upSince: NIODeadline?
    var heardAt: NIODeadline?
    /// Runs when what the source did not say again is forgotten.
    var forgetting: Scheduled<Void>?

    init(resend: @escaping @Sendable () -> Void) {
        self.resend = resend
    }

    /// The source has said all it knew at first, or does not work.
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
