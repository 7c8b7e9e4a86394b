// SPDX-License-Identifier: Apache-2.0

/// How often and how many endpoints are probed. What is not configurable is stated in relativityd(8).
package struct ProbeLimits: Sendable, Hashable {
    /// Endpoints are probed without being asked for.
    package var isOn: Bool
    /// Between two probes of one endpoint; up to a fifth less, by chance.
    package var interval: Duration
    /// The same while a lease on it is open or it is being watched.
    package var intervalInUse: Duration

    /// Between the beginnings of any two probes: 20 a second.
    static let spacing = Duration.milliseconds(50)
    /// Probes under way.
    static let atOnce = 16
    /// Probes under way of endpoints that are not in use: they leave room for those that are.
    static let keptAtOnce = 8
    /// Between two probes of one endpoint, however much haste there is.
    static let pause = Duration.seconds(2)
    /// What is to be probed soon is so after a random part of this, lest all begin at once.
    static let haste = Duration.seconds(2)
    /// How long a server has to answer.
    static let patience = Duration.seconds(3)
    /// How long it has when it is asked a second time because it did not.
    static let secondPatience = Duration.seconds(1)
    /// Addresses of one endpoint that a probe tries.
    static let addresses = 4

    /// - Parameters:
    ///   - interval: 10 seconds to an hour.
    ///   - intervalInUse: 2 to 60 seconds.
    package init(isOn: Bool = true, interval: Duration = .seconds(60), intervalInUse: Duration = .seconds(5)) {
        self.isOn = isOn
        self.interval = interval
        self.intervalInUse = intervalInUse
    }
}
