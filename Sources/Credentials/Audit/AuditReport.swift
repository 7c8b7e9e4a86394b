// SPDX-License-Identifier: Apache-2.0

/// The result of verifying the log.
package struct AuditReport: Sendable, Hashable {
    /// A fault and its position.
    package struct Finding: Sendable, Hashable {
        /// The name of the file.
        package let file: String
        /// The line in the file, counted from 1.
        package let line: Int
        /// The fault of this line.
        package let fault: AuditFault
    }

    /// The number of lines that were read.
    package var lines = 0
    /// The number of lines under the vault's key.
    package var keyed = 0
    /// The number of lines that nothing authenticates: written while the vault was locked, by a process that exited
    /// before it was unlocked, or under the key of an earlier vault.
    package var unproved = 0
    /// The number of events that could not be written when they happened.
    package var lost = 0
    /// Numbers of the keyed lines that are followed by lines without the key, although the vault was not locked.
    /// Either the daemon was killed there, or lines after them were removed while it was not running. At most 100.
    package var unclean: [UInt64] = []
    /// The number of the first line; nil if there is none.
    package var first: UInt64?
    /// The number of the last line; nil if there is none.
    package var last: UInt64?
    /// The first fault; nil if the chain is intact.
    package var finding: Finding?

    static let maximumUnclean = 100
}
