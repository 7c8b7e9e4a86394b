// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import DataAbstract
import NIOCore

/// The file of a briefcase: what was read survives writing and reading. Its changes are merged with its rows.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = ByteBuffer(bytes: UnsafeRawBufferPointer(start: start, count: count))
    guard var briefcase = try? Briefcase(decoding: input) else { return 0 }
    // Names and characters that a stream may have, but not a briefcase.
    guard let bytes = try? briefcase.encoded() else { return 0 }
    guard let again = try? Briefcase(decoding: bytes), again.properties == briefcase.properties,
        again.tables.map(\.name) == briefcase.tables.map(\.name),
        again.changes?.changedRows ?? [] == (briefcase.changes?.changedRows ?? [])
    else { fatalError("a briefcase read differently") }
    if let (set, _) = try? briefcase.changeSet() { try? briefcase.update(from: set) }
    _ = try? briefcase.encoded()
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
