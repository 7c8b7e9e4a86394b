// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// The limits of the resources that one domain may use.
package struct DomainLimits: Sendable, Hashable {
    /// The number of instances of each type that are looked up. Further ones are only counted.
    package var instancesPerType = 2_048
    /// The number of concurrent queries.
    package var questionsAtOnce = 16
    /// The number of bytes of a TXT record that are kept, each string with its length byte.
    package var textBytes = TXTStrings.maximumBytes
    /// The minimum time to live; shorter ones count as this. It is also the minimum interval between two rounds.
    package var shortestTTL = Duration.seconds(10)
    /// A refresh does not repeat queries that were made less than this ago.
    package var freshness = Duration.seconds(5)
    /// The maximum time to live; longer ones count as this.
    package var longestTTL = Duration.seconds(3_600)

    /// The default limits.
    package init() {}
}
