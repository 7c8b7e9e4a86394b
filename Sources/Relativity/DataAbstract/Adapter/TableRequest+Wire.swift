// SPDX-License-Identifier: Apache-2.0

package import Remoting

extension TableRequest {
    /// The struct for GetData.
    ///
    /// Unused members are empty, as the vendor's client sends them, except that an empty selection of fields is a null
    /// array: servers that do not select fields reject any other.
    ///
    /// - Throws: `WhereError` for a condition that cannot be written.
    package func structure() throws(WhereError) -> RemotingStruct {
        var filter = ""
        var className = "TableRequestInfo"
        var own: [NamedValue] = []
        switch selection {
        case .all(let userFilter): filter = userFilter
        case .dynamic(let selection):
            className = "TableRequestInfoV5"
            let condition = try selection.condition.map { expression throws(WhereError) in
                try DynamicWhere.xml(expression)
            }
            let direction: Int32 = selection.order?.isDescending == true ? 1 : 0
            let sorting = RemotingStruct(
                "ColumnSorting",
                [
                    NamedValue("FieldName", .utf8String(selection.order?.field ?? "")),
                    NamedValue("SortDirection", .enumeration(direction)),
                ]
            )
            let fields = selection.fields.isEmpty ? nil : selection.fields.map { RemotingValue.utf8String($0) }
            own = [
                NamedValue("DynamicSelectFieldNames", .array(fields)), NamedValue("Sorting", .structure(sorting)),
                NamedValue("WhereClause", .xml(condition ?? "")),
            ]
        case .sql(let statement):
            className = "TableRequestInfoV6"
            own = [NamedValue("Sql", .wideString(statement))]
        }
        let common = [
            NamedValue("IncludeSchema", .boolean(includesSchema)), NamedValue("MaxRecords", .integer(rowLimit ?? -1)),
            NamedValue("Parameters", DataParameter.array(parameters)), NamedValue("UserFilter", .utf8String(filter)),
        ]
        return RemotingStruct(className, common + own)
    }
}

extension DataParameter {
    static func array(_ parameters: [DataParameter]) -> RemotingValue {
        .array(
            parameters.map { parameter in
                let fields = [
                    NamedValue("Name", .utf8String(parameter.name)),
                    NamedValue("Value", .variant(parameter.value.variant)),
                ]
                return .structure(RemotingStruct("DataParameter", fields))
            }
        )
    }

    /// Reads the output parameters of a command.
    ///
    /// - Throws: `malformed` for a value that is an array.
    static func parameters(_ value: RemotingValue) throws(DataAdapterError) -> [DataParameter] {
        guard case .array(let elements) = value else { throw .malformed(reason: "not a list of parameters") }
        var parameters: [DataParameter] = []
        for case .structure(let element) in elements ?? [] {
            guard case .utf8String(let name) = element["Name"], case .variant(let variant) = element["Value"],
                let value = DataValue(variant)
            else { throw .malformed(reason: "a parameter with a value that is not a single one") }
            parameters.append(DataParameter(name, value))
        }
        return parameters
    }
}

extension DataValue {
    /// The value of a parameter. Integers have 32 bits if that suffices, because not all clients write others.
    package var variant: RemotingVariant {
        switch self {
        case .null: .null
        case .integer(let value): Int32(exactly: value).map { .int32($0) } ?? .int64(value)
        case .unsigned(let value):
            Int64(exactly: value).map { DataValue.integer($0).variant }
                ?? Decimal96(high: 0, low: value, scale: 0, isNegative: false).map { .decimal($0) } ?? .null
        case .float(let value): .double(value)
        case .dateTime(let days): .dateTime(DateTime(days: days))
        case .currency(let scaled): .currency(Currency(scaled: scaled))
        case .boolean(let value): .boolean(value)
        case .decimal(let value): .decimal(value.number)
        case .text(let text): .string(text)
        case .unreadable(let text): .string(text.text)
        case .bytes(let bytes): .bytes(bytes)
        }
    }

    /// The value of a parameter; nil for arrays.
    package init?(_ variant: RemotingVariant) {
        switch variant {
        case .empty, .null, .error: self = .null
        case .int8(let value): self = .integer(Int64(value))
        case .uint8(let value): self = .integer(Int64(value))
        case .int16(let value): self = .integer(Int64(value))
        case .uint16(let value): self = .integer(Int64(value))
        case .int32(let value): self = .integer(Int64(value))
        case .uint32(let value): self = .integer(Int64(value))
        case .int64(let value): self = .integer(value)
        case .single(let value): self = .float(Double(value))
        case .double(let value): self = .float(value)
        case .currency(let value): self = .currency(scaled: value.scaled)
        case .dateTime(let value): self = .dateTime(days: value.days)
        case .decimal(let value): self = .decimal(DataDecimal(value))
        case .boolean(let value): self = .boolean(value)
        case .guid(let value): self = .text(value.text.filter { $0 != "{" && $0 != "}" })
        case .string(let text), .utf8String(let text): self = .text(text)
        case .ansiString(let text): self = .text(text.text)
        case .bytes(let bytes): self = .bytes(bytes)
        case .array: return nil
        }
    }
}
