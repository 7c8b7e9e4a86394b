// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A source of sightings that says what the test says.
package final class ScriptedSource: SightingSource {
    package let name: SourceName
    private let stream: AsyncStream<SightingEvent>
    private let continuation: AsyncStream<SightingEvent>.Continuation

    /// - Parameter script: told first, in order.
    package init(_ script: [SightingEvent] = [], name: SourceName = .avahi) {
        self.name = name
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        for event in script { continuation.yield(event) }
    }

    package func tell(_ event: SightingEvent) {
        continuation.yield(event)
    }

    package func events() -> AsyncStream<SightingEvent> { stream }

    package func refresh(_ instance: ServiceInstance) {}

    package func retell() {}

    package func stop() { continuation.finish() }
}
