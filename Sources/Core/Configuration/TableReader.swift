// SPDX-License-Identifier: Apache-2.0

import Documents
import Endpoints
import Platform

/// Reads one table of the configuration and detects unknown keys.
struct TableReader {
    private let values: [String: ConfigurationNode]
    let prefix: String
    private let origin: ConfigurationOrigin?
    private var asked: Set<String> = []
    /// The keys of the tables that were read, by prefix.
    private var known: [String: Set<String>] = [:]
    private var unknown: [(prefix: String, key: String, origin: ConfigurationOrigin)] = []
    /// The errors of the values that were read with `into`, here and in the tables.
    private(set) var errors: [ConfigurationError] = []
    /// The values that were read with `into`, here and in the tables, and all values in arrays of tables.
    private(set) var settings: [ConfigurationSetting] = []

    init(
        _ values: [String: ConfigurationNode],
        prefix: String = "",
        at origin: ConfigurationOrigin? = nil
    ) {
        self.values = values
        self.prefix = prefix
        self.origin = origin
    }

    /// Adds the results of a table that was read.
    mutating func add(_ table: TableReader) {
        errors += table.errors
        settings += table.settings
        known[table.prefix] = table.asked
        unknown += table.values.keys.filter { !table.asked.contains($0) }.compactMap { key in
            table.values[key].map { (table.prefix, key, $0.origin) }
        }
    }

    /// Adds a setting of a plain table.
    mutating func note(_ key: String, _ text: String?) {
        let origin = values[key]?.origin ?? ConfigurationOrigin(.builtIn)
        settings.append(ConfigurationSetting(key: prefix + key, value: text, origin: origin))
    }

    /// Returns an error for each unknown key, here and in the tables, after everything was read.
    func unknownKeys() -> [ConfigurationError] {
        let own = values.filter { !asked.contains($0.key) }.map {
            (prefix: prefix, key: $0.key, origin: $0.value.origin)
        }
        let all = (own + unknown).sorted { ($0.prefix, $0.key) < ($1.prefix, $1.key) }
        return all.map { place, key, origin in
            let inTable = NearestName.find(key, among: known[place] ?? asked).map { place + $0 }
            let elsewhere = known.filter { $0.value.contains(key) }.keys.min().map { $0 + key }
            let nearest = inTable ?? elsewhere
            return ConfigurationError(.unknownKey("\(Printable(place + key))", nearest: nearest), at: origin)
        }
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let integer = value.scalar?.integer, range.contains(integer) else {
            throw invalid(key, value, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    mutating func flag(_ key: String) throws(ConfigurationError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.scalar?.boolean else { throw invalid(key, value, expected: "true or false") }
        return flag
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ key: String
    ) throws(ConfigurationError) -> Word? {
        guard let value = value(key) else { return nil }
        guard let word = value.scalar?.string.flatMap(Word.init(rawValue:)) else {
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
        let words = value.list.map { array in array.map { $0.string.flatMap(Word.init(rawValue:)) } }
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
        let strings = value.list.map { array in array.compactMap(\.string) }
        guard let strings, strings.count == value.list?.count, count.contains(strings.count),
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
        guard let key = values.keys.sorted().first(where: { !asked.contains($0) }) else { return }
        let nearest = NearestName.find(key, among: asked).map { prefix + $0 }
        throw ConfigurationError(.unknownKey("\(Printable(prefix + key))", nearest: nearest), at: values[key]?.origin)
    }

    mutating func value(_ key: String) -> ConfigurationNode? {
        asked.insert(key)
        return values[key]
    }

    /// - Parameter value: the invalid value.
    func invalid(_ key: String, _ value: ConfigurationNode, expected: String) -> ConfigurationError {
        let shown = Self.shown(value)
        let found = Self.mayBeSecret(key) || shown.contains("@") ? nil : shown
        return ConfigurationError(.invalid(key: prefix + key, expected: expected, found: found), at: value.origin)
    }

    /// The error of a missing value, or of one that contradicts another.
    func fault(_ key: String, expected: String) -> ConfigurationError {
        ConfigurationError(.invalid(key: prefix + key, expected: expected), at: values[key]?.origin ?? origin)
    }

    /// The user may have written a password instead of the name of its file. The path of an adapter is a secret too,
    /// because any process that knows it can use the adapter.
    static func mayBeSecret(_ key: String) -> Bool { key.hasPrefix("password") || key == "path" }

    private static func shown(_ node: ConfigurationNode) -> String {
        switch node.content {
        case .table: "a table"
        case .tables: "[a table]"
        case .value(let value): shown(value)
        }
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

/// An entry that is read from a table of an array.
protocol ConfigurationTable {
    typealias Unique = [(key: String, isSame: (Self, Self) -> Bool)]

    /// The keys in which entries of one array must differ.
    static var unique: Unique { get }

    init(_ table: TableReader) throws(ConfigurationError)
}

/// Arrays of tables, and values in them.
extension TableReader {
    /// Reads the tables of `[[key]]` in order, counted from 1 in messages.
    ///
    /// - Parameter entries: gets an entry for each valid table.
    /// - Returns: the error of each table that cannot be read, or that of the array.
    mutating func tables<Entry: ConfigurationTable>(
        _ key: String,
        atMost limit: Int,
        into entries: inout [Entry]
    ) -> [ConfigurationError] {
        guard let value = value(key) else { return [] }
        let tables: [ConfigurationNode]
        switch value.content {
        case .tables(let found) where found.count <= limit: tables = found
        case .value(.array([])): return []
        default: return [invalid(key, value, expected: "at most \(limit) tables [[\(key)]]")]
        }
        var errors: [ConfigurationError] = []
        for (number, table) in tables.enumerated() {
            guard case .table(let members) = table.content else { continue }
            // Adds the number only if there are several tables.
            let prefix = tables.count > 1 ? "\(prefix)\(key)[\(number + 1)]." : "\(prefix)\(key)."
            let name = "\(key)[\(table.identity ?? "\(number + 1)")]."
            settings += members.sorted { $0.key < $1.key }.map { member, node in
                let text = node.scalar.map(\.text)
                return ConfigurationSetting(
                    key: name + member,
                    value: Self.mayBeSecret(member) || text?.contains("@") == true ? nil : text,
                    origin: node.origin
                )
            }
            do throws(ConfigurationError) {
                let reader = TableReader(members, prefix: prefix, at: table.origin)
                let entry = try Entry(reader)
                if let same = Entry.unique.first(where: { rule in entries.contains { rule.isSame($0, entry) } }) {
                    throw reader.fault(same.key, expected: "unique among the tables")
                }
                entries.append(entry)
            } catch {
                errors.append(error)
            }
        }
        return errors
    }

    /// Adds errors of tables.
    mutating func report(_ errors: [ConfigurationError]) { self.errors += errors }

    /// Reads a text.
    ///
    /// - Parameter read: returns nil for an invalid text.
    mutating func text<Value>(
        _ key: String,
        expected: String,
        _ read: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let value = value(key) else { return nil }
        guard let result = value.scalar?.string.flatMap(read) else { throw invalid(key, value, expected: expected) }
        return result
    }

    mutating func texts<Value>(
        _ key: String,
        _ count: ClosedRange<Int>,
        expected: String,
        _ read: (String) -> Value?
    ) throws(ConfigurationError) -> [Value]? {
        guard let value = value(key) else { return nil }
        let values = value.list.map { array in array.map { $0.string.flatMap(read) } } ?? [nil]
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
        guard let value else { throw fault(key, expected: expected) }
        return value
    }

    mutating func absolutePath(_ key: String) throws(ConfigurationError) -> String? {
        try text(key, expected: "an absolute path") { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Reads the name of a service of a server.
    mutating func service(_ key: String) throws(ConfigurationError) -> String? {
        try text(key, expected: "letters, digits, _ and .") { ServiceNames.isValid($0) ? $0 : nil }
    }

    /// Reads a part of new logins.
    mutating func loginPart(_ key: String) throws(ConfigurationError) -> String? {
        try text(key, expected: "1 to 255 bytes of text") { text in
            (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? text : nil
        }
    }

    /// Reads the networks that contain the permitted addresses of a source.
    mutating func networks() throws(ConfigurationError) -> [NetworkPolicy.Network]? {
        try texts("addresses", 1...64, expected: "networks such as \"10.0.0.0/8\"") { NetworkPolicy.Network($0) }
    }
}

extension TableReader {
    /// Parses the complete text of a file.
    init(parsing text: String, maximumBytes: Int) throws(ConfigurationError) {
        self.init(
            try [String: ConfigurationNode](parsing: text, maximumBytes: maximumBytes, ConfigurationOrigin(.named))
        )
    }
}

extension ConfigurationNode {
    /// The value, unless it is a table or an array of tables.
    var scalar: TOMLValue? { if case .value(let value) = content { value } else { nil } }

    /// The elements of an array of other values than tables.
    var list: [TOMLValue]? { scalar?.array }
}
