// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Fuzzing

/// Addresses from users and files: an accepted address survives the round trip, and none is an address that no source
/// is allowed to name.
@main
enum URLFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let text = String(decoding: input, as: UTF8.self)
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
    }
}
