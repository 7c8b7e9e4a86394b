// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import DataAbstract

/// The printed text may be longer than the parsed one, because each value gets spaces and quotes around it.
private let outputLimits = PredicateLimits(bytes: 1 << 20, depth: 64)

private let fields = PredicateFields([
    DataColumn("a", .integer), DataColumn("b", .wideString), DataColumn("c", .float), DataColumn("d", .dateTime),
    DataColumn("e", .currency), DataColumn("f", .decimal), DataColumn("g", .string), DataColumn("h", .guid),
])

private let decimal = DataDecimal("12.50")

/// A predicate: a parsed one survives printing and parsing, and compiling, planning and evaluating it do not crash. A crash
/// is how libFuzzer learns of a violation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let predicate = try? Predicate(parsing: text) else { return 0 }
    guard let again = try? Predicate(parsing: predicate.description, limits: outputLimits), again == predicate else {
        fatalError("a predicate read differently")
    }
    guard let compiled = try? CompiledPredicate(predicate, fields: fields) else { return 0 }
    let values: [DataValue] = [
        .integer(5), .text("aé€😀"), .float(0.1), .dateTime(days: 43_831.5), .currency(scaled: -15_000),
        decimal.map { .decimal($0) } ?? .null, .text("ß"), .null,
    ]
    let isTrue = compiled.matches(values)
    for capabilities: WhereCapabilities in [.where, [.where, .dates, .nullTests], [.where, .trusted]] {
        guard let plan = try? PredicatePlan(predicate, fields: fields, capabilities: capabilities) else {
            fatalError("a predicate that compiles is not planned")
        }
        guard isTrue, let residual = plan.residual else { continue }
        guard (try? CompiledPredicate(residual, fields: fields))?.matches(values) == true else {
            fatalError("a row is left out")
        }
    }
    return 0
}

@main
enum Main {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments, fuzz)
    }
}
