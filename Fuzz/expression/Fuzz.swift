// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

/// The printed text may be longer than the parsed one, because each operator gets spaces around it.
private let outputLimits = ExpressionLimits(bytes: 1 << 20, depth: 128)

private let fields = [
    DataColumn("a", .integer), DataColumn("b", .wideString), DataColumn("c", .float), DataColumn("d", .dateTime),
    DataColumn("e", .currency), DataColumn("f", .decimal), DataColumn("g", .largeUInt), DataColumn("h", .guid),
]

private let values: [DataValue] = [
    .integer(5), .text("aé€😀"), .float(0.1), .dateTime(days: 43_831.5), .currency(scaled: -15_000),
    DataDecimal("12.50").map { .decimal($0) } ?? .null, .unsigned(.max), .null,
]

private let table: SourceTable = {
    var table = SourceTable(fields)
    do {
        try table.append([values, values])
    } catch {
        fatalError("\(error)")
    }
    return table
}()

/// An expression: a parsed one survives printing and parsing, and compiling and evaluating it do not crash. A crash is how
/// libFuzzer learns of a violation.
@main
enum ExpressionFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        guard let expression = try? Expression(parsing: text) else { return }
        guard let again = try? Expression(parsing: expression.description, limits: outputLimits), again == expression
        else {
            fatalError("an expression read differently")
        }
        let view = TableView(
            "T",
            calculated: [CalculatedField("r", expression)],
            references: [KeyReference("U", ["a"], to: "T", ["a"])]
        )
        let tables = ["T": fields, "U": fields]
        guard var computed = try? CalculatedTable(view, columns: fields, tables: tables) else { return }
        let value: DataValue
        do {
            try computed.load(["T": table, "U": table])
            value = try computed.extraValues(values)[0]
        } catch is GrowthError {
            return
        } catch {
            fatalError("a table is not found, or a row does not fit")
        }
        // The value fits a column of the type.
        var result = try? DataTable(name: "R", columns: computed.extraColumns)
        guard (try? result?.append([value])) != nil else { fatalError("a value of another type") }
    }
}
