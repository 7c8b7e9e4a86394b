// SPDX-License-Identifier: Apache-2.0

/// A struct value: its class, and its fields in wire order.
package struct RemotingStruct: Hashable, Sendable {
    /// The class name and the field names.
    package let layout: StructLayout
    /// The field values, one for each of the layout's names.
    package let values: [RemotingValue]

    /// Sorts the fields into wire order.
    package init(_ className: String, _ fields: [NamedValue]) {
        let sorted = StructLayout.sorted(fields, by: \.name)
        layout = StructLayout(className: className, names: sorted.map(\.name))
        values = sorted.map(\.value)
    }

    init(_ layout: StructLayout, _ values: [RemotingValue]) {
        self.layout = layout
        self.values = values
    }

    /// The name of the class.
    package var className: String { layout.className }

    /// The fields in wire order.
    package var fields: [NamedValue] { zip(layout.names, values).map { NamedValue($0, $1) } }

    /// Returns the value of a field; nil if the class has no such field. Names are compared exactly.
    package subscript(_ name: String) -> RemotingValue? {
        layout.names.firstIndex(of: name).map { values[$0] }
    }
}

/// The class name and field names that all structs of one class share, stored once.
package final class StructLayout: Sendable {
    /// The name of the class.
    package let className: String
    /// The field names in wire order, including inherited fields.
    package let names: [String]
    /// The class name in wire encoding: length and bytes.
    let encodedName: [UInt8]

    init(className: String, names: [String]) {
        self.className = className
        self.names = names
        let count = Int32(clamping: className.utf8.count)
        encodedName = withUnsafeBytes(of: count.littleEndian, Array.init) + Array(className.utf8)
    }

    /// Returns fields in wire order: by name, ignoring case.
    static func sorted<Field>(_ fields: [Field], by name: (Field) -> String) -> [Field] {
        fields.map { (key: name($0).lowercased(), field: $0) }.sorted { $0.key < $1.key }.map(\.field)
    }
}

extension StructLayout: Hashable {
    package static func == (left: StructLayout, right: StructLayout) -> Bool {
        left === right || (left.className == right.className && left.names == right.names)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(className)
        hasher.combine(names)
    }
}

/// The struct classes that a reader knows, each with all its fields, including inherited fields.
package struct StructCatalog: Sendable {
    /// A class, because it is passed on for every struct that is read, and a reference is the cheapest to pass.
    final class Class: Sendable {
        let layout: StructLayout
        /// The field types, one for each of the layout's names.
        let types: [RemotingType]

        init(layout: StructLayout, types: [RemotingType]) {
            self.layout = layout
            self.types = types
        }
    }

    private var classes: [String: Class] = [:]

    /// An empty catalog.
    package init() {}

    /// Adds a class. The fields are sorted into wire order: by name, ignoring case.
    package mutating func define(_ className: String, _ fields: [NamedType]) {
        let sorted = StructLayout.sorted(fields, by: \.name)
        classes[className] = Class(
            layout: StructLayout(className: className, names: sorted.map(\.name)),
            types: sorted.map(\.type)
        )
    }

    /// Returns the fields in wire order, or nil for an unknown class.
    package func fields(of className: String) -> [NamedType]? {
        classes[className].map { found in zip(found.layout.names, found.types).map { NamedType($0, $1) } }
    }

    subscript(_ className: String) -> Class? { classes[className] }
}
