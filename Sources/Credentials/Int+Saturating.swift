// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// Adds a count that stands in a file, and may be anything: a negative one is none, and a sum beyond the last `Int`
    /// stays there.
    mutating func addSaturating(_ count: Int64) {
        let (sum, overflows) = addingReportingOverflow(Int(Swift.max(0, count)))
        self = overflows ? .max : sum
    }
}
