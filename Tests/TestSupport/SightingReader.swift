// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Reads what a source of sightings says, and holds what its reader would hold.
package final class SightingReader {
    private var events: SightingStream.Iterator
    /// Everything it said, up to where the test has read.
    package private(set) var heard: [SightingEvent] = []
    /// What is there now; what was told before the source went down stays until it has settled anew.
    package private(set) var sightings: [Sighting.Key: Sighting] = [:]
    private var stale: Set<Sighting.Key> = []

    package init(_ source: some SightingSource) {
        events = source.events().makeAsyncIterator()
    }

    /// Reads until `condition` holds.
    ///
    /// - Throws: `NotInTime` when the stream ends before. A test bounds the time.
    package func wait(until condition: (SightingReader) -> Bool) async throws {
        while !condition(self) {
            guard let event = await events.next(isolation: #isolation) else { throw NotInTime(seconds: 0) }
            heard.append(event)
            apply(event)
        }
    }

    /// Reads the next event that is this one.
    package func wait(for event: SightingEvent) async throws {
        let before = heard.count
        try await wait { $0.heard.dropFirst(before).contains(event) }
    }

    /// Reads to the next `down`, and gives its fault.
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

    /// How often something was said to have gone.
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
