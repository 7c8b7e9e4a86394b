// SPDX-License-Identifier: Apache-2.0

/// A random run found a mistake.
package struct RunFailure: Error, CustomStringConvertible {
    /// The seed or the input, and what was wrong.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
