// SPDX-License-Identifier: Apache-2.0

import Documents
import Endpoints

/// Plain tables: each function reads a key into a value that has its default. An invalid value is added to `errors`, and
/// the value stays unchanged.
extension TableReader {
    /// Reads the table of a key. The function is called even if the table is missing, because it knows the keys.
    mutating func table(_ key: String, _ read: (inout TableReader) -> Void) {
        let node = value(key)
        var members: [String: ConfigurationNode] = [:]
        if case .table(let found)? = node?.content {
            members = found
        } else if let node {
            report([invalid(key, node, expected: "a table")])
        }
        var table = TableReader(members, prefix: "\(prefix)\(key).", at: node?.origin)
        read(&table)
        add(table)
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>, into value: inout Int) {
        take(key, into: &value, { .integer($0) }) { table throws(ConfigurationError) in try table.integer(key, range) }
    }

    mutating func seconds(_ key: String, _ range: ClosedRange<Int>, into value: inout Duration) {
        take(key, into: &value, { .integer(Int($0.components.seconds)) }) { table throws(ConfigurationError) in
            try table.integer(key, range).map { .seconds($0) }
        }
    }

    mutating func flag(_ key: String, into value: inout Bool) {
        take(key, into: &value, { .boolean($0) }) { table throws(ConfigurationError) in try table.flag(key) }
    }

    mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ key: String, into value: inout Word) {
        take(key, into: &value, { .string($0.rawValue) }) { table throws(ConfigurationError) in try table.word(key) }
    }

    mutating func words<Word: RawRepresentable<String> & CaseIterable & Hashable>(
        _ key: String,
        into value: inout Set<Word>
    ) {
        take(key, into: &value, { .array($0.map(\.rawValue).sorted().map { .string($0) }) }) {
            table throws(ConfigurationError) in try table.words(key)
        }
    }

    mutating func strings(
        _ key: String,
        _ count: ClosedRange<Int>,
        into value: inout [String],
        where isValid: (String) -> Bool
    ) {
        take(key, into: &value, { .array($0.map { .string($0) }) }) { table throws(ConfigurationError) in
            try table.strings(key, count, where: isValid)
        }
    }

    /// Reads an absolute path.
    mutating func path(_ key: String, into value: inout String?) {
        take(key, into: &value, { $0.map { .string($0) } }) { table throws(ConfigurationError) in
            try table.absolutePath(key).map { .some($0) }
        }
    }

    private mutating func take<Value>(
        _ key: String,
        into value: inout Value,
        _ shown: (Value) -> TOMLValue?,
        _ read: (inout TableReader) throws(ConfigurationError) -> Value?
    ) {
        do throws(ConfigurationError) {
            if let new = try read(&self) { value = new }
        } catch {
            report([error])
        }
        note(key, shown(value)?.text)
    }
}
