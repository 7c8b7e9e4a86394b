// SPDX-License-Identifier: Apache-2.0

/// Where sightings come from: multicast DNS through Avahi, a DNS domain, a shared list in etcd.
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

    /// Tells everything that it knows once more, because the reader had no room for some of it and has now. Returns at once.
    /// While the source is down it tells nothing: all is told when it is up again.
    func retell()

    /// Ends the stream and lets go of what the source holds. Returns at once, whatever the source is waiting for.
    func stop()
}
