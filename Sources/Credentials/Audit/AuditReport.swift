// SPDX-License-Identifier: Apache-2.0

/// What came of checking the log.
package struct AuditReport: Sendable, Hashable {
    package struct Finding: Sendable, Hashable {
        /// The file's name, and the line in it, counted from 1.
        package let file: String
        package let line: Int
        package let fault: AuditFault
    }

    /// Lines that were read.
    package var lines = 0
    /// Lines under the vault's key.
    package var keyed = 0
    /// Lines that nothing proves: written while the vault was not open, by a process that ended before it was opened, or
    /// under the key of an earlier vault.
    package var unproved = 0
    /// Events that could not be written at the time.
    package var lost = 0
    /// Numbers of keyed lines that are the last before others without the key, although the vault was not locked: the
    /// daemon was killed there, or lines behind them were taken away while it was not running. At most 100.
    package var unclean: [UInt64] = []
    package var first: UInt64?
    package var last: UInt64?
    /// The first fault; nil if the chain is whole.
    package var finding: Finding?

    static let maximumUnclean = 100
}
