// SPDX-License-Identifier: Apache-2.0

import CFuzzer

@testable import Credentials

/// Vault files: what is accepted must be written again as the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? VaultFile(parsing: Array(UnsafeBufferPointer(start: start, count: count)))
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
