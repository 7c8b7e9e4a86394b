// SPDX-License-Identifier: Apache-2.0

/// A struct value: its class and its fields in wire order.
package struct RemotingStruct: Hashable, Sendable {
    package let layout: StructLayout
    /// One for each of the layout's names.
    package let values: [RemotingValue]

    /// Puts the fields into wire order.
    package init(_ className: String, _ fields: [NamedValue]) {
        let sorted = StructLayout.sorted(fields, by: \.name)
        layout = StructLayout(className: className, names: sorted.map(\.name))
        values = sorted.map(\.value)
    }

    init(_ layout: StructLayout, _ values: [RemotingValue]) {
        self.layout = layout
        self.values = values
    }

    package var className: String { layout.className }

    package var fields: [NamedValue] { zip(layout.names, values).map { NamedValue($0, $1) } }

    /// Nil if the class has no such field; names compare exactly.
    package subscript(_ name: String) -> RemotingValue? {
        layout.names.firstIndex(of: name).map { values[$0] }
    }
}
