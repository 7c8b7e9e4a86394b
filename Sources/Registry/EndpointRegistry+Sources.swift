// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
package import Logging
import NIOCore

/// Sources of sightings, side by side.
extension EndpointRegistry {
    /// After so many events of a flood others get their turn on the loop.
    private static let eventsPerTurn = 64

    /// Applies the events of one source until it ends.
    ///
    /// - Parameters:
    ///   - logger: is told when the source goes down and when it works again.
    ///   - retell: has the source tell once more all that it knows.
    package func consume<Events: AsyncSequence<SightingEvent, Never> & Sendable>(
        _ events: Events,
        from source: SourceName,
        logger: Logger? = nil,
        retell: @escaping @Sendable () -> Void = {}
    ) async {
        sources[source] = SourceProgress(retell: retell)
        var applied = 0
        for await event in events {
            if case .source(let state) = event { logger?.tell(state, of: source) }
            apply(event, from: source)
            applied += 1
            if applied.isMultiple(of: Self.eventsPerTurn) { await loop.yieldTurn() }
        }
    }

    private func apply(_ event: SightingEvent, from source: SourceName) {
        sources[source]?.note(event)
        if event == .settled, state.hasStale(of: source) {
            sources[source]?.forgetting = loop.scheduleTask(in: TimeAmount(limits.grace)) {
                self.assumeIsolated { $0.applyAtOnce(event, from: source) }
            }
        } else {
            applyAtOnce(event, from: source)
        }
        if isSettled { endSettling() }
    }

    private func applyAtOnce(_ event: SightingEvent, from source: SourceName) {
        state.apply(event, from: source)
        publish()
    }

    /// Every source has said all it knew at first, or does not work.
    private var isSettled: Bool { !sources.isEmpty && sources.values.allSatisfy(\.isWorthAsking) }

    /// Returns when the list is worth showing: the sources have settled, do not work, or took longer than `patience`.
    package func waitUntilSettled(atMost patience: Duration) async {
        guard !isSettled else { return }
        let settled = loop.makePromise(of: Void.self)
        settling.append(settled)
        let timer = loop.scheduleTask(in: TimeAmount(patience)) { settled.succeed() }
        try? await settled.futureResult.get()
        timer.cancel()
        settling.removeAll { $0.futureResult === settled.futureResult }
    }

    private func endSettling() {
        for promise in settling { promise.succeed() }
        settling = []
    }

    /// All sources by name.
    package var sourceStatus: [RegistrySourceStatus] {
        sources.map { name, progress in
            RegistrySourceStatus(
                name: name,
                state: progress.state ?? .down(SourceFault(.notStarted)),
                isSettled: progress.isSettled,
                upFor: progress.upSince.map { Duration(.now() - $0) },
                heardAgo: progress.heardAt.map { Duration(.now() - $0) }
            )
        }.sorted { $0.name < $1.name }
    }
}

extension Logger {
    fileprivate func tell(_ state: SourceState, of source: SourceName) {
        switch state {
        case .up: notice("servers can be found", metadata: ["source": "\(source)"])
        case .down(let fault):
            warning("servers cannot be found", metadata: ["source": "\(source)", "fault": "\(fault)"])
        }
    }
}
