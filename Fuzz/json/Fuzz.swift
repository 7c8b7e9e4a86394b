// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import JSON
import Varlink

/// API frames: an accepted frame must survive the round trip.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    if let value = try? JSONValue(parsing: bytes) {
        guard (try? JSONValue(parsing: value.serialized())) == value else { fatalError("a value does not read back") }
    }
    _ = try? VarlinkDescription(parsing: String(decoding: bytes, as: UTF8.self))
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
