// SPDX-License-Identifier: Apache-2.0

/// How much of everything a document may have. The parser recurses, so it must not see a text without bounds.
package struct TOMLLimits: Sendable, Hashable {
    /// Bytes of one line, its end not counted.
    package var lineBytes = 4_096
    /// Arrays and inline tables within each other.
    package var nesting = 16
    /// Parts of one dotted key.
    package var keyParts = 16

    package init() {}
}
