// SPDX-License-Identifier: Apache-2.0

package import JSON

/// Structs in JSON messages: their fields by name, and the class behind them.
enum JSONStruct {
    static let classKey = "__type"
}

extension JSONObject {
    /// The declared members as values, in the order of the declaration; others are passed over.
    ///
    /// - Throws: `malformed` if one is missing or of another shape.
    package func values(
        _ declared: [NamedType],
        _ catalog: StructCatalog = StructCatalog()
    ) throws(RemotingError) -> [RemotingValue] {
        var values: [RemotingValue] = []
        for named in declared {
            guard let member = self[named.name] else { throw .malformed(reason: "\(named.name) is missing") }
            values.append(try RemotingValue(member, as: named.type, catalog))
        }
        return values
    }

    /// Parameters by name.
    ///
    /// - Parameter declared: gives names to enumerations, which go as numbers without it.
    package init(_ values: [NamedValue], declared: [NamedType] = [], _ catalog: StructCatalog = StructCatalog()) {
        self.init(
            values.map { named in
                (named.name, named.value.json(as: declared.first { $0.name == named.name }?.type, catalog))
            }
        )
    }
}
