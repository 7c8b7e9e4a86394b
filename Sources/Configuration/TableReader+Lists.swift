// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TOML

/// Arrays of tables, and values in them.
extension TableReader {
    /// Returns the tables of `[[key]]` in order, counted from 1 in messages. Returns none if there is no such table.
    mutating func tables(_ key: String, atMost limit: Int) throws(ConfigurationError) -> [TableReader] {
        guard let value = value(key) else { return [] }
        let tables = value.array.map { array in array.compactMap(\.table) }
        guard let tables, tables.count == value.array?.count, tables.count <= limit else {
            throw invalid(key, value, expected: "at most \(limit) tables [[\(key)]]")
        }
        // Adds the number only if there are several tables.
        return tables.enumerated().map { number, table in
            TableReader(table, prefix: tables.count > 1 ? "\(prefix)\(key)[\(number + 1)]." : "\(prefix)\(key).")
        }
    }

    /// Reads a text.
    ///
    /// - Parameter read: returns nil for an invalid text.
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

    /// Returns the value of a key without a default.
    ///
    /// - Throws: `invalid` if the value is missing.
    func required<Value>(_ value: Value?, _ key: String, expected: String) throws(ConfigurationError) -> Value {
        guard let value else { throw .invalid(key: prefix + key, expected: expected) }
        return value
    }

    /// Reads the networks that contain the permitted addresses of a source.
    mutating func networks() throws(ConfigurationError) -> [NetworkPolicy.Network]? {
        try texts("addresses", 1...64, expected: "networks such as \"10.0.0.0/8\"") { NetworkPolicy.Network($0) }
    }
}
