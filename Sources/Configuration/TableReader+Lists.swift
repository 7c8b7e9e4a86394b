// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TOML

/// What stands in tables of which there may be several.
extension TableReader {
    /// The tables of `[[key]]`, counted from 1 in messages, in order; none where there is no such table.
    mutating func tables(_ key: String, atMost limit: Int) throws(ConfigurationError) -> [TableReader] {
        guard let value = value(key) else { return [] }
        let tables = value.array.map { array in array.compactMap(\.table) }
        guard let tables, tables.count == value.array?.count, tables.count <= limit else {
            throw invalid(key, value, expected: "at most \(limit) tables [[\(key)]]")
        }
        // Which one, where there are several.
        return tables.enumerated().map { number, table in
            TableReader(table, prefix: tables.count > 1 ? "\(prefix)\(key)[\(number + 1)]." : "\(prefix)\(key).")
        }
    }

    /// - Parameter read: nil for a text that is not what is expected.
    mutating func text<Value>(
        _ key: String,
        expected: String,
        _ read: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let value = value(key) else { return nil }
        guard let result = value.string.flatMap(read) else { throw invalid(key, value, expected: expected) }
        return result
    }

    mutating func texts<Value>(
        _ key: String,
        _ count: ClosedRange<Int>,
        expected: String,
        _ read: (String) -> Value?
    ) throws(ConfigurationError) -> [Value]? {
        guard let value = value(key) else { return nil }
        let values = value.array.map { array in array.map { $0.string.flatMap(read) } } ?? [nil]
        let read = values.compactMap { $0 }
        guard read.count == values.count, count.contains(read.count) else {
            throw invalid(key, value, expected: "\(count.lowerBound) to \(count.upperBound) \(expected)")
        }
        return read
    }

    /// For a key that has no default.
    func required<Value>(_ value: Value?, _ key: String, expected: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalid(key: prefix + key, expected: expected) }
        return value
    }

    /// The networks that a source's addresses may lie in.
    mutating func networks() throws(ConfigurationError) -> [NetworkPolicy.Network]? {
        try texts("addresses", 1...64, expected: "networks such as \"10.0.0.0/8\"") { NetworkPolicy.Network($0) }
    }
}
