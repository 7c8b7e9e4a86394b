// SPDX-License-Identifier: Apache-2.0

/// What all structs of one class have in common, kept once however many there are.
package final class StructLayout: Sendable {
    package let className: String
    /// The fields in wire order, inherited ones included.
    package let names: [String]
    /// The class name as it stands on the wire, count and bytes.
    let encodedName: [UInt8]

    init(className: String, names: [String]) {
        self.className = className
        self.names = names
        let count = Int32(clamping: className.utf8.count)
        encodedName = withUnsafeBytes(of: count.littleEndian, Array.init) + Array(className.utf8)
    }

    /// Wire order: by name, ignoring case.
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
