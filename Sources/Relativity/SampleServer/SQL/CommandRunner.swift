// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting
import SQLite

/// Executes the commands of a schema.
enum CommandRunner {
    /// Runs the statements of a command in one transaction.
    ///
    /// - Parameter arguments: the values by name in lower case.
    /// - Returns: the number of changed rows, the names of the changed tables in the database, and the parameters that
    ///   clients receive.
    /// - Throws: `QueryError` for missing, unknown or unfit arguments; `SQLiteError`.
    static func run(
        _ command: ServedCommand,
        _ arguments: [String: RemotingVariant],
        _ database: borrowing SQLiteDatabase
    ) throws -> (changed: Int, tables: Set<String>, outputs: [NamedVariant]) {
        var values: [String: SQLiteValue] = [:]
        for (name, argument) in arguments {
            guard let parameter = command.parameters.first(where: { $0.name.isSame(as: name) }) else {
                throw QueryError("the command '\(command.name)' has no parameter '\(name)'")
            }
            guard let value = DataValue(argument) else {
                throw QueryError("the parameter '\(name)' has a value of an unsupported type")
            }
            values[name] = try ConstantText.value(value, for: ServedField(parameter.name, parameter.type))
        }
        for parameter in command.parameters where parameter.direction != .out {
            guard values[parameter.name.lowercased()] != nil else {
                throw QueryError("the parameter '\(parameter.name)' is missing")
            }
        }
        return try database.transaction { database in
            var changed = 0
            var tables: Set<String> = []
            if let text = command.statement {
                tables = try database.tablesChanged(by: text)
                var statement = try database.prepare(text)
                let bound = Self.values(values, of: statement)
                try statement.bind(bound)
                changed = try statement.run()
            }
            return (changed, tables, try outputs(of: command, values, database))
        }
    }

    private static func values(
        _ values: [String: SQLiteValue],
        of statement: borrowing SQLiteStatement
    ) -> [SQLiteValue] {
        (0..<statement.parameterCount).map { index in
            let name = statement.parameterName(index)?.dropFirst().lowercased() ?? ""
            return values[name] ?? .null
        }
    }

    private static func outputs(
        of command: ServedCommand,
        _ values: [String: SQLiteValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> [NamedVariant] {
        var results: [String: SQLiteValue] = values
        if let output = command.output {
            var statement = try database.prepare(output)
            let bound = Self.values(values, of: statement)
            try statement.bind(bound)
            if try statement.step() {
                for index in 0..<statement.columnCount {
                    results[statement.columnName(index)?.lowercased() ?? ""] = try statement.value(index)
                }
            }
        }
        return command.parameters.filter { $0.direction != .in }.map { parameter in
            let stored = results[parameter.name.lowercased()] ?? .null
            let value = FieldCodec.value(stored, as: parameter.type, dates: .days) ?? .null
            return NamedVariant(name: parameter.name, value: RemotingVariant(value, as: parameter.type))
        }
    }
}

/// A parameter that a client receives.
struct NamedVariant: Hashable, Sendable {
    let name: String
    let value: RemotingVariant

    /// The value as a DataParameter.
    var structure: RemotingValue {
        .structure(
            RemotingStruct("DataParameter", [.init("Name", .utf8String(name)), .init("Value", .variant(value))])
        )
    }
}

extension RemotingVariant {
    /// The value of a field as a parameter.
    init(_ value: DataValue, as type: DataType) {
        switch value {
        case .null: self = .null
        case .integer(let number):
            self =
                [.largeInt, .largeAutoInc].contains(type)
                ? .int64(number) : Int32(exactly: number).map { .int32($0) } ?? .int64(number)
        case .unsigned(let number): self = Int64(exactly: number).map { .int64($0) } ?? .null
        case .float(let number): self = .double(number)
        case .dateTime(let days): self = .dateTime(DateTime(days: days))
        case .currency(let scaled): self = .currency(Currency(scaled: scaled))
        case .boolean(let flag): self = .boolean(flag)
        case .decimal(let number): self = Decimal96(number.description).map { .decimal($0) } ?? .null
        case .text(let text): self = .string(text)
        case .unreadable(let text): self = .string(text.text)
        case .bytes(let bytes): self = .bytes(bytes)
        }
    }
}
