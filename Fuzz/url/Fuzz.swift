// SPDX-License-Identifier: Apache-2.0

import CFuzzer
import Endpoints

/// Addresses from users and files: an accepted address survives the round trip, and none is an address that no source
/// is allowed to name.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    if let url = try? ServerURL(completing: text) {
        guard (try? ServerURL(completing: url.description)) == url else { fatalError("a URL does not read back") }
        if case .address(let address, _) = url.host, address.isNoServer { fatalError("a URL leads to no server") }
    }
    if let address = IPAddress(text) {
        guard IPAddress(address.description) == address else { fatalError("an address does not read back") }
        if let embedded = address.embeddedIPv4, embedded.isNoServer, !address.isNoServer {
            fatalError("a disguise makes a server of what is none")
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
