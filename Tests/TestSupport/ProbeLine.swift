// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// A line that `discovery-probe` prints, as JSON.
package struct ProbeLine: Codable, Sendable {
    /// Milliseconds of the monotonic clock, which all hosts share.
    package var at: Double
    package var event: SightingEvent?
    /// The browser's counters, on request.
    package var counters: [String: Int]?
    /// The duration of `stop()` in milliseconds.
    package var stoppedAfter: Double?
    /// The name that a publisher announces.
    package var published: String?
    /// The reason why a publisher announces nothing.
    package var unpublished: String?

    package init(at: Double) {
        self.at = at
    }
}
