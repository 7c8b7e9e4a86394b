// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A line that `discovery-probe` prints, as JSON.
package struct ProbeLine: Codable, Sendable {
    /// Milliseconds of the monotonic clock, which all hosts share.
    package var at: Double
    package var event: SightingEvent?
    /// The browser's counters, when asked.
    package var counters: [String: Int]?
    /// How long `stop()` took, in milliseconds.
    package var stoppedAfter: Double?
    /// A publisher's name.
    package var published: String?
    /// Why a publisher announces nothing.
    package var unpublished: String?

    package init(at: Double) {
        self.at = at
    }
}
