// SPDX-License-Identifier: Apache-2.0

/// Why a text was refused, and where.
package struct TOMLError: Error, Hashable {
    /// The line, from 1.
    package let line: Int
    /// The column in characters, from 1; in bytes for a line that is too long.
    package let column: Int
    /// In words. It may quote the text, and is not safe to show as it is.
    package let reason: String
}
