// SPDX-License-Identifier: Apache-2.0

package import DataAbstract

/// A key of a row of a master, with the name of the row.
package struct NamedKey: Hashable, Sendable {
    /// The key.
    package let key: DataValue
    /// The name, which is untrusted text.
    package let name: String

    /// Creates a key with a name.
    package init(_ key: DataValue, _ name: String) {
        (self.key, self.name) = (key, name)
    }
}
