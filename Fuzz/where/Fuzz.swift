// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import DataAbstract

private let limits = WhereLimits(bytes: 1 << 20, depth: 32, expressions: 1 << 12)
/// Escaping makes a text up to six times longer.
private let outputLimits = WhereLimits(bytes: 1 << 23, depth: 32, expressions: 1 << 12)

/// A where clause: a parsed clause survives writing and parsing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let expression = try? DynamicWhere.expression(parsing: text, limits: limits) else { return 0 }
    guard let xml = try? DynamicWhere.xml(expression, limits: outputLimits),
        let again = try? DynamicWhere.expression(parsing: xml, limits: outputLimits), again == expression
    else { fatalError("a where clause read differently") }
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
