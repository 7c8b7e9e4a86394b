// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import DataAbstract

/// A RODL file: types are resolved, or an error says why not.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let file = try? RODLFile(parsing: text) else { return 0 }
    for method in ["Order", "Odd", "Loop", "Ping"] {
        _ = try? file.signature(of: method, service: "ShopService")
        _ = try? file.signature(of: method, service: "")
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
