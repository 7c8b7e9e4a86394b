// SPDX-License-Identifier: Apache-2.0

/// A parameter or a field with its value. BinMessage sends the value alone, JSON the name too.
package struct NamedValue: Hashable, Sendable {
    package let name: String
    package let value: RemotingValue

    package init(_ name: String, _ value: RemotingValue) {
        self.name = name
        self.value = value
    }
}
