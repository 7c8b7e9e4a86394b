// SPDX-License-Identifier: Apache-2.0

/// The struct classes that a reader knows, each with all its fields, inherited ones included.
package struct StructCatalog: Sendable {
    /// Handed on for every struct that is read: by reference, that costs the least.
    final class Class: Sendable {
        let layout: StructLayout
        /// One for each of the layout's names.
        let types: [RemotingType]

        init(layout: StructLayout, types: [RemotingType]) {
            self.layout = layout
            self.types = types
        }
    }

    private var classes: [String: Class] = [:]

    package init() {}

    /// Adds a class; the fields are put into wire order, which is by name, ignoring case.
    package mutating func define(_ className: String, _ fields: [NamedType]) {
        let sorted = StructLayout.sorted(fields, by: \.name)
        classes[className] = Class(
            layout: StructLayout(className: className, names: sorted.map(\.name)),
            types: sorted.map(\.type)
        )
    }

    /// The fields in wire order, or nil for an unknown class.
    package func fields(of className: String) -> [NamedType]? {
        classes[className].map { found in zip(found.layout.names, found.types).map { NamedType($0, $1) } }
    }

    subscript(_ className: String) -> Class? { classes[className] }
}
