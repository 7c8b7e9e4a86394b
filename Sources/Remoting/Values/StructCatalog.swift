// SPDX-License-Identifier: Apache-2.0

/// The struct classes that a reader knows, each with all its fields, inherited ones included.
package struct StructCatalog: Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        package let type: RemotingType

        package init(_ name: String, _ type: RemotingType) {
            self.name = name
            self.type = type
        }
    }

    private var classes: [String: [Field]] = [:]

    package init() {}

    /// Adds a class; the fields are put into wire order, which is by name, ignoring case.
    package mutating func define(_ className: String, _ fields: [Field]) {
        classes[className] = fields.sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    /// The fields in wire order, or nil for an unknown class.
    package func fields(of className: String) -> [Field]? {
        classes[className]
    }
}
