// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A source of sightings whose events the test defines.
package final class ScriptedSource: SightingSource {
    package let name: SourceName
    private let stream = SightingStream()

    /// - Parameter script: the first events, in order.
    package init(_ script: [SightingEvent] = [], name: SourceName = .avahi) {
        self.name = name
        for event in script { stream.yield(event) }
    }

    package func tell(_ event: SightingEvent) {
        stream.yield(event)
    }

    package func events() -> SightingStream { stream }

    package func refresh(_ instance: ServiceInstance) {}

    package func resend() {}

    package func stop() { stream.finish() }
}
