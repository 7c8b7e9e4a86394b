// SPDX-License-Identifier: Apache-2.0

/// Where sightings come from: Avahi, or a script in a test.
package protocol SightingSource: Sendable {
    /// Every key that it tells carries this name.
    var name: SourceName { get }

    /// Starts the source. To be called once.
    ///
    /// The stream ends after `stop()`; to cancel its reader stops the source.
    func events() -> SightingStream

    /// Asks anew where an instance is, because nobody answers where it was said to be. Returns at once; an answer that
    /// differs comes as any other event.
    func refresh(_ instance: ServiceInstance)

    /// Ends the stream and lets go of what the source holds. Returns at once, whatever the source is waiting for.
    func stop()
}

extension SightingSource {
    /// A source that tells every change by itself has nothing to do.
    package func refresh(_ instance: ServiceInstance) {}
}
