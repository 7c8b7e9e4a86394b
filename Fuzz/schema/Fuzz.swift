// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import DataAbstract

private let limits = SchemaLimits(bytes: 1 << 20, elements: 1 << 12, depth: 16)

/// The schema of a data service: it has no more objects than its document has elements.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let schema = try? DataSchema(parsing: text, limits: limits) else { return 0 }
    let inTables = schema.tables.reduce(0) { $0 + 1 + $1.fields.count + $1.parameters.count }
    let inCommands = schema.commands.reduce(0) { $0 + 1 + $1.parameters.count }
    guard inTables + inCommands + schema.relationships.count <= limits.elements else {
        fatalError("objects without elements")
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
