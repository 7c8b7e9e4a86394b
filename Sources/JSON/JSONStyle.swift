// SPDX-License-Identifier: Apache-2.0

/// How a value is laid out in text.
public enum JSONStyle: Sendable {
    /// No white space at all.
    case compact
    /// One member or element a line, two spaces for each level: for files that people read.
    case pretty
}
