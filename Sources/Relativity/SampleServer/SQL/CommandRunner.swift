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
        _ arguments: [String: DataValue],
        _ database: borrowing SQLiteDatabase
    ) throws -> (changed: Int, tables: Set<String>, outputs: [RemotingValue]) {
        var values: [String: SQLiteValue] = [:]
        for (name, argument) in arguments {
            guard let parameter = command.parameters.first(where: { $0.name.isSame(as: name) }) else {
                throw QueryError("the command '\(command.name)' has no parameter '\(name)'")
            }
            values[name] = try ConstantText.value(argument, for: ServedField(parameter.name, parameter.type))
        }
        for parameter in command.parameters where parameter.isInput {
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
    ) throws -> [RemotingValue] {
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
        return command.parameters.filter { ![.input, .unknown].contains($0.direction) }.map { parameter in
            let stored = results[parameter.name.lowercased()] ?? .null
            let value = FieldCodec.value(stored, as: parameter.type, dates: .days) ?? .null
            let variant: RemotingVariant =
                if case .integer(let number) = value, [.largeInt, .largeAutoInc].contains(parameter.type) {
                    .int64(number)
                } else {
                    value.variant
                }
            return .structure(
                RemotingStruct(
                    "DataParameter",
                    [.init("Name", .utf8String(parameter.name)), .init("Value", .variant(variant))]
                )
            )
        }
    }
}
