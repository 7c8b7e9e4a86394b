// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TOML

/// Reads one table of a TOML file and detects unknown keys.
struct TableReader {
    private let values: [String: TOMLValue]
    let prefix: String
    private var asked: Set<String> = []

    init(_ values: [String: TOMLValue], prefix: String = "") {
        self.values = values
        self.prefix = prefix
    }

    mutating func table(_ key: String) throws(ConfigurationError) -> TableReader? {
        guard let value = value(key) else { return nil }
        guard let table = value.table else { throw invalid(key, value, expected: "a table") }
        return TableReader(table, prefix: "\(prefix)\(key).")
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            throw invalid(key, value, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    mutating func seconds(_ key: String, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Duration? {
        try integer(key, range).map { .seconds($0) }
    }

    mutating func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.boolean else { throw invalid(key, value, expected: "true or false") }
        return flag
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String
    ) throws(ConfigurationError) -> Word? {
        guard let value = value(key) else { return nil }
        guard let word = value.string.flatMap(Word.init(rawValue:)) else {
            let words = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
            throw invalid(key, value, expected: words)
        }
        return word
    }

    /// Reads an array of keywords, which may be empty. Duplicates are ignored.
    mutating func words<Word: RawRepresentable<String> & CaseIterable & Hashable>(
        _ key: String
    ) throws(ConfigurationError) -> Set<Word>? {
        guard let value = value(key) else { return nil }
        let words = value.array.map { array in array.map { $0.string.flatMap(Word.init(rawValue:)) } }
        guard let words, !words.contains(nil) else {
            let known = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw invalid(key, value, expected: "an array of any of \(known)")
        }
        return Set(words.compactMap { $0 })
    }

    mutating func strings(
        _ key: String,
        _ count: ClosedRange<Int>,
        where isValid: (String) -> Bool
    ) throws(ConfigurationError) -> [String]? {
        guard let value = value(key) else { return nil }
        let strings = value.array.map { array in array.compactMap(\.string) }
        guard let strings, strings.count == value.array?.count, count.contains(strings.count),
            strings.allSatisfy(isValid)
        else {
            let (least, most) = (count.lowerBound, count.upperBound)
            let expected = "\(least) to \(most) strings such as \"_Relativity_DataService_rosdk._tcp\""
            throw invalid(key, value, expected: expected)
        }
        return strings
    }

    /// - Throws: `unknownKey` for the first key in the table that was never read.
    func finish() throws(ConfigurationError) {
        guard let unknown = values.keys.sorted().first(where: { !asked.contains($0) }) else { return }
        throw .unknownKey("\(Printable(prefix + unknown))")
    }

    mutating func value(_ key: String) -> TOMLValue? {
        asked.insert(key)
        return values[key]
    }

    /// - Parameter value: the invalid value.
    func invalid(_ key: String, _ value: TOMLValue, expected: String) -> ConfigurationError {
        let shown = Self.shown(value)
        // The user may have written a password instead of the name of its file, or a URL with a password. The path of
        // an adapter is a secret too, because any process that knows it can use the adapter.
        let mayBeSecret = key.hasPrefix("password") || key == "path" || shown.contains("@")
        return .invalid(key: prefix + key, expected: expected, found: mayBeSecret ? nil : shown)
    }

    private static func shown(_ value: TOMLValue) -> String {
        switch value {
        case .string(let text): return "\"\(Printable(text, columns: 60))\""
        case .integer(let number): return "\(number)"
        case .boolean(let flag): return "\(flag)"
        case .table: return "a table"
        case .float, .moment: return "a value of another type"
        case .array(let array):
            let items = array.prefix(4).map { shown($0) }.joined(separator: ", ")
            return "[\(items)\(array.count > 4 ? ", …" : "")]"
        }
    }
}

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

extension TableReader {
    /// Parses the complete text of a file.
    init(parsing text: String, maximumBytes: Int) throws(ConfigurationError) {
        guard text.utf8.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        do {
            self.init(try TOMLDocument.parse(text))
        } catch {
            throw .syntax("line \(error.line), column \(error.column): \(Printable(error.reason))")
        }
    }
}
