// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

/// What one domain may cost.
package struct DomainLimits: Sendable, Hashable {
    /// Instances of each type that are looked up; what a server lists beyond is counted.
    package var instancesPerType = 2_048
    /// Questions that wait for an answer at a time.
    package var questionsAtOnce = 16
    /// Bytes of a TXT record that are kept, each string with its length byte.
    package var textBytes = TXTStrings.maximumBytes
    /// A shorter time to live counts as this: it is also the least pause between two rounds.
    package var shortestTTL = Duration.seconds(10)
    /// What was asked for less than this ago is not asked for again because somebody doubts it.
    package var freshness = Duration.seconds(5)
    /// A longer time to live counts as this.
    package var longestTTL = Duration.seconds(3_600)

    package init() {}
}
