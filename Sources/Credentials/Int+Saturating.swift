// SPDX-License-Identifier: Apache-2.0

extension Int {
    /// Adds a count that was read from a file and may have any value. A negative count is ignored, and an overflowing
    /// sum becomes the largest `Int`.
    mutating func addSaturating(_ count: Int64) {
        let (sum, overflows) = addingReportingOverflow(Int(Swift.max(0, count)))
        self = overflows ? .max : sum
    }
}
