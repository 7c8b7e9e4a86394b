// SPDX-License-Identifier: Apache-2.0

/// What one domain may cost.
package struct DomainLimits: Sendable, Hashable {
    /// Instances of each type that are looked up; what a server lists beyond is counted.
    package var instancesPerType = 2_048
    /// Questions that wait for an answer at a time.
    package var questionsAtOnce = 16
    /// Bytes of a TXT record that are kept, each string with its length byte: one Ethernet frame's worth (RFC 6763,
    /// section 6.2).
    package var textBytes = 1_300
    /// A shorter time to live counts as this: it is also the least pause between two rounds.
    package var shortestTTL = Duration.seconds(10)
    /// A longer time to live counts as this.
    package var longestTTL = Duration.seconds(3_600)

    package init() {}
}
