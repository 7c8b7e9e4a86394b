// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import Configuration
import Endpoints

/// What people and announcements write: addresses, names, TXT strings, the configuration file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let text = String(decoding: bytes, as: UTF8.self)
    if let url = try? ServerURL(completing: text) {
        guard (try? ServerURL(completing: url.description)) == url else { fatalError("a URL does not read back") }
    }
    let shown = Printable(bytes: bytes, columns: 80).description
    let isSafe = shown.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
        default: true
        }
    }
    guard isSafe, Printable.width(of: shown) <= 80 else { fatalError("text that is not safe to show") }
    _ = try? DaemonConfiguration(parsing: text)
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
