// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

/// A request for the rows of one table: one element of GetData's second parameter.
struct TableRequest: Sendable {
    /// The additional members of a version.
    enum Query: Sendable {
        case all
        /// Names of fields (nil for all), a sort field, and a where clause. Members that are not used are nil.
        case dynamic(select: [String]?, sort: (field: String, isDescending: Bool)?, where: String?)
        /// DA SQL.
        case sql(String)
    }

    let includesSchema: Bool
    /// The maximum number of rows; nil for all.
    let maxRecords: Int?
    /// The parameters by name in lower case.
    let parameters: [String: RemotingVariant]
    let userFilter: String
    let query: Query

    /// All rows without a schema, as for a null array of requests.
    static let all = TableRequest()

    private init() {
        includesSchema = false
        maxRecords = nil
        parameters = [:]
        userFilter = ""
        query = .all
    }

    /// - Throws: `malformed` if the value is not a table request.
    init(_ value: RemotingValue) throws(RemotingError) {
        guard case .structure(let request) = value, case .boolean(let includesSchema) = request["IncludeSchema"],
            case .integer(let maximum) = request["MaxRecords"], case .utf8String(let filter) = request["UserFilter"]
        else { throw .malformed(reason: "not a table request") }
        self.includesSchema = includesSchema
        maxRecords = maximum < 0 ? nil : Int(maximum)
        userFilter = filter
        parameters = Self.parameters(request["Parameters"])
        query =
            switch request.className {
            case "TableRequestInfoV6": .sql(Self.text(request["Sql"]))
            case "TableRequestInfoV5": Self.dynamic(request)
            default: .all
            }
    }

    /// Returns the values of DataParameters by name in lower case.
    static func parameters(_ value: RemotingValue?) -> [String: RemotingVariant] {
        guard case .array(let elements?) = value else { return [:] }
        var result: [String: RemotingVariant] = [:]
        for case .structure(let parameter) in elements {
            guard case .utf8String(let name) = parameter["Name"], case .variant(let value) = parameter["Value"] else {
                continue
            }
            result[name.lowercased()] = value
        }
        return result
    }

    private static func dynamic(_ request: RemotingStruct) -> Query {
        var select: [String]?
        if case .array(let elements?) = request["DynamicSelectFieldNames"] {
            select = elements.map { text($0).trimmed }
        }
        var sort: (field: String, isDescending: Bool)?
        if case .structure(let sorting) = request["Sorting"],
            case .enumeration(let direction) = sorting["SortDirection"]
        {
            let field = text(sorting["FieldName"]).trimmed
            if !field.isEmpty { sort = (field, direction != 0) }
        }
        let condition = text(request["WhereClause"])
        return .dynamic(select: select, sort: sort, where: condition.trimmed.isEmpty ? nil : condition)
    }

    private static func text(_ value: RemotingValue?) -> String {
        switch value {
        case .utf8String(let text), .wideString(let text), .xml(let text): text
        default: ""
        }
    }
}

extension String {
    /// The text without white space at both ends.
    var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}

extension DataValue {
    /// The value of a parameter; nil for arrays and errors.
    init?(_ variant: RemotingVariant) {
        switch variant {
        case .empty, .null: self = .null
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
        case .decimal(let value):
            guard let number = DataDecimal(value.description) else { return nil }
            self = .decimal(number)
        case .boolean(let value): self = .boolean(value)
        case .guid(let value): self = .text(String(value.text.dropFirst().dropLast()).uppercased())
        case .string(let text), .utf8String(let text): self = .text(text)
        case .ansiString(let text): self = .text(text.text)
        case .bytes(let bytes): self = .bytes(bytes)
        case .array, .error: return nil
        }
    }
}
