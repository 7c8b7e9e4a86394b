// SPDX-License-Identifier: Apache-2.0

/// Where the revisions of a run begin: above all of the runs before, and not where another one could have been.
package enum FirstRevision {
    /// Changes that a run can tell in a second without reaching into the next one's numbers, and more.
    private static let perSecond: UInt64 = 1 << 20

    /// - Parameters:
    ///   - seconds: since 1970. Up to the year 2242 a revision is a whole number in JavaScript too.
    ///   - random: keeps runs apart where the clock was set back.
    package static func at(seconds: UInt64, random: UInt64 = .random(in: 0..<perSecond)) -> UInt64 {
        seconds * perSecond + random % perSecond
    }
}
