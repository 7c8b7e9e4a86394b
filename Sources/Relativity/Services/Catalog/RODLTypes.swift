// SPDX-License-Identifier: Apache-2.0

package import Remoting

/// The names of types in RODL files: those of the Remoting SDK, and the structs, enums and arrays of Data Abstract.
package enum RODLTypes {
    private static let plain: [(name: String, type: RemotingType)] = [
        ("Integer", .integer), ("Int64", .int64), ("Double", .double), ("Boolean", .boolean),
        ("DateTime", .dateTime), ("Currency", .currency), ("Decimal", .decimal), ("Guid", .guid),
        ("AnsiString", .ansiString), ("Utf8String", .utf8String), ("WideString", .wideString), ("Xml", .xml),
        ("Binary", .binary), ("Variant", .variant),
    ]
    private static let byName: [String: RemotingType] = {
        var types: [String: RemotingType] = ["string": .ansiString]
        for (name, type) in plain + ServiceCatalog.types { types[name.lowercased()] = type }
        for declared in ServiceCatalog.declaredStructs { types[declared.name.lowercased()] = .structure(declared.name) }
        return types
    }()
    private static let nullablePrefix = "nullable"

    /// Returns a type by its name, ignoring case; nil if it is not known.
    static func type(named name: String) -> RemotingType? { byName[name.lowercased()] }

    /// Whether the name is that of a type such as `NullableInteger`, which can also be null.
    static func isNullable(_ name: String) -> Bool {
        let name = name.lowercased()
        guard name.hasPrefix(nullablePrefix) else { return false }
        let rest = name.dropFirst(nullablePrefix.count)
        return plain.contains { $0.name.lowercased() == rest }
    }

    /// Returns the name of a type of Data Abstract; `Variant` for a type that has none.
    package static func name(of type: RemotingType) -> String {
        if case .structure(let name) = type { return name }
        return (plain + ServiceCatalog.types).first { $0.type == type }?.name ?? "Variant"
    }
}
