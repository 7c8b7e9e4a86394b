// SPDX-License-Identifier: Apache-2.0

/// Where sightings come from: Avahi, or a script in a test.
package protocol SightingSource: Sendable {
    /// Every key that it tells carries this name.
    var name: SourceName { get }

    /// Starts the source. To be called once.
    ///
    /// The stream is not bounded, because no event may be lost: its one reader applies each event at once to a state
    /// that is bounded. It ends after `stop()`; giving it up stops the source.
    func events() -> AsyncStream<SightingEvent>

    /// Ends the stream and lets go of what the source holds. Returns at once, whatever the source is waiting for.
    func stop()

    /// Asks anew about an instance, because what is known of it may be out of date. Returns at once; what has changed is told
    /// as usual.
    func refresh(_ instance: ServiceInstance)
}

extension SightingSource {
    /// A source that hears of every change has nothing to ask.
    package func refresh(_ instance: ServiceInstance) {}
}
