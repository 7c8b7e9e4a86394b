// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import Configuration

/// Files that users write: the configuration file and the administrator's server files.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    _ = try? DaemonConfiguration(parsing: text)
    _ = try? AdministratorsServer(toml: text, path: "/x.toml", stem: "x")
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
