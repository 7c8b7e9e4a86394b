// SPDX-License-Identifier: Apache-2.0

/// A source of sightings: multicast DNS through Avahi, a DNS domain, or a shared list in etcd.
package protocol SightingSource: Sendable {
    /// The name that is in every key of its sightings.
    var name: SourceName { get }

    /// Starts the source. Call once.
    ///
    /// The stream ends after `stop()`. Cancelling the task that reads it stops the source.
    func events() -> SightingStream

    /// Resolves an instance again, because it does not answer at its last known address. Returns immediately; a
    /// different result arrives as an ordinary event.
    func refresh(_ instance: ServiceInstance)

    /// Sends all current sightings again, because the reader had no capacity for some of them before. Returns
    /// immediately. While the source is down it sends nothing; it sends everything when it is up again.
    func retell()

    /// Ends the stream and releases the source's resources. Returns immediately, even if the source is waiting.
    func stop()
}
