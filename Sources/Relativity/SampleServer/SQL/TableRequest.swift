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
    let parameters: [String: DataValue]
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

    /// Returns the values of DataParameters by name in lower case. A value that is an array is left out.
    static func parameters(_ value: RemotingValue?) -> [String: DataValue] {
        guard case .array(let elements?) = value else { return [:] }
        var result: [String: DataValue] = [:]
        for case .structure(let parameter) in elements {
            guard case .utf8String(let name) = parameter["Name"], case .variant(let variant) = parameter["Value"] else {
                continue
            }
            result[name.lowercased()] = DataValue(variant)
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
