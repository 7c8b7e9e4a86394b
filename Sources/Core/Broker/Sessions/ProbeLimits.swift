// SPDX-License-Identifier: Apache-2.0

/// The frequency of probes and the number of endpoints that are probed. relativityd(8) states the values that are not
/// configurable.
package struct ProbeLimits: Sendable, Hashable {
    /// Whether endpoints are probed periodically.
    package var isOn: Bool
    /// Time between two probes of one endpoint, less a random part of up to a fifth.
    package var interval: Duration
    /// The same interval while a lease on the endpoint is open or while it is watched.
    package var intervalInUse: Duration

    /// Minimum time between the starts of any two probes: 20 a second.
    static let spacing = Duration.milliseconds(50)
    /// Maximum number of probes in progress.
    static let atOnce = 16
    /// Maximum number of probes in progress of endpoints that are not in use, so that capacity remains for those in
    /// use.
    static let keptAtOnce = 8
    /// Minimum time between two probes of one endpoint, also if they are expedited.
    static let pause = Duration.seconds(2)
    /// An expedited probe starts after a random part of this time, so that not all start simultaneously.
    static let jitter = Duration.seconds(2)
    /// Timeout for the server's answer.
    static let timeout = Duration.seconds(3)
    /// Timeout of the second attempt, after the server did not answer the first.
    static let retryTimeout = Duration.seconds(1)
    /// Maximum number of addresses of one endpoint that a probe tries.
    static let addresses = 4

    /// The configurable limits.
    ///
    /// - Parameters:
    ///   - interval: 10 seconds to an hour.
    ///   - intervalInUse: 2 to 60 seconds.
    package init(isOn: Bool = true, interval: Duration = .seconds(60), intervalInUse: Duration = .seconds(5)) {
        self.isOn = isOn
        self.interval = interval
        self.intervalInUse = intervalInUse
    }
}
