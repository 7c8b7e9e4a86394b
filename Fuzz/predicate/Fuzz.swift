// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Fuzzing

/// The printed text may be longer than the parsed one, because each value gets spaces and quotes around it.
private let outputLimits = ExpressionLimits(bytes: 1 << 20, depth: 64)

private let columns = [
    DataColumn("a", .integer), DataColumn("b", .wideString), DataColumn("c", .float), DataColumn("d", .dateTime),
    DataColumn("e", .currency), DataColumn("f", .decimal), DataColumn("g", .string), DataColumn("h", .guid),
]
private let values: [[DataValue]] = [
    [
        .integer(5), .text("aé€😀"), .float(0.1), .dateTime(days: 43_831.5), .currency(scaled: -15_000),
        DataDecimal("12.50").map { .decimal($0) } ?? .null, .text("ß"), .null,
    ],
    [
        .integer(-1), .text("Abc"), .float(-.infinity), .dateTime(days: -1.5), .currency(scaled: .max),
        .null, .text("ABC abc"), .text("00112233-4455-6677-8899-AABBCCDDEEFF"),
    ],
    [.null, .text(""), .float(.nan), .null, .null, .null, .text(""), .null],
]
private let rows: DataRows = {
    do {
        var table = try DataTable(name: "T", columns: columns)
        for row in values { try table.append(row) }
        return table.rows
    } catch {
        fatalError("\(error)")
    }
}()

/// A predicate: a parsed one survives printing and parsing, and compiling, planning and evaluating it do not crash. It
/// selects the same rows by their values and by their bytes. A crash is how libFuzzer learns of a violation.
@main
enum PredicateFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
        guard let predicate = try? Expression(predicate: text) else { return }
        guard let again = try? Expression(predicate: predicate.description, limits: outputLimits), again == predicate
        else {
            fatalError("a predicate read differently")
        }
        guard let compiled = try? CompiledPredicate(predicate, fields: columns) else { return }
        let selected = values.indices.filter { (try? compiled.matches(values[$0])) == true }
        guard (try? compiled.indices(in: rows)) == selected else { fatalError("other rows by their bytes") }
        for capabilities: WhereCapabilities in [.where, [.where, .dates, .nullTests], [.where, .trusted]] {
            guard let plan = try? PredicatePlan(predicate, fields: columns, capabilities: capabilities) else {
                fatalError("a predicate that compiles is not planned")
            }
            guard let residual = plan.residual else { continue }
            let rest = try? CompiledPredicate(residual, fields: columns)
            guard selected.allSatisfy({ (try? rest?.matches(values[$0])) == true }) else {
                fatalError("a row is left out")
            }
        }
    }
}
