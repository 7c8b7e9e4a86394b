// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Reads the events of a source of sightings, and maintains the current sightings.
package final class SightingReader {
    private var events: SightingStream.Iterator
    /// The events so far, up to the position of the test.
    package private(set) var heard: [SightingEvent] = []
    /// The current sightings. Those from before the source went down stay until it has settled again.
    package private(set) var sightings: [Sighting.Key: Sighting] = [:]
    private var stale: Set<Sighting.Key> = []

    package init(_ source: some SightingSource) {
        events = source.events().makeAsyncIterator()
    }

    /// Reads until `condition` holds.
    ///
    /// - Throws: `NotInTime` if the stream ends before. The time limit is that of the test.
    package func wait(until condition: (SightingReader) -> Bool) async throws {
        while !condition(self) {
            guard let event = await events.next(isolation: #isolation) else { throw NotInTime(seconds: 0) }
            heard.append(event)
            apply(event)
        }
    }

    /// Reads until this event.
    package func wait(for event: SightingEvent) async throws {
        let before = heard.count
        try await wait { $0.heard.dropFirst(before).contains(event) }
    }

    /// Reads until the next `down`, and returns its fault.
    package func awaitDown() async throws -> SourceFault {
        let before = heard.count
        func fault(_ reader: SightingReader) -> SourceFault? {
            for case .source(.down(let fault)) in reader.heard.dropFirst(before) { return fault }
            return nil
        }
        try await wait { fault($0) != nil }
        return fault(self) ?? SourceFault(.notStarted)
    }

    /// Reads to the end.
    package func awaitEnd() async {
        while let event = await events.next(isolation: #isolation) { heard.append(event) }
    }

    /// The number of `vanished` events.
    package var vanished: Int {
        heard.count { if case .vanished = $0 { true } else { false } }
    }

    private func apply(_ event: SightingEvent) {
        switch event {
        case .sighted(let sighting):
            sightings[sighting.key] = sighting
            stale.remove(sighting.key)
        case .vanished(let key): sightings[key] = nil
        case .lost(let key): stale.insert(key)
        case .source(.down): stale = Set(sightings.keys)
        case .source(.up): break
        case .settled:
            for key in stale { sightings[key] = nil }
            stale = []
        }
    }
}
