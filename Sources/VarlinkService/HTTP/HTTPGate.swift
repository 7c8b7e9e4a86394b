// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// Keeps web pages out, should a browser ever be led to the socket by somebody's relay.
enum HTTPGate {
    static func check(_ headers: HTTPHeaders) throws(HTTPFailure) {
        // A browser names the page that a request comes from.
        guard !headers.contains(name: "Origin") else { throw .originRefused }
        // A name that an attacker's DNS answers for has a dot. On a Unix socket the name means nothing.
        let hosts = headers["Host"]
        guard hosts.count <= 1, hosts.allSatisfy(isHarmless) else { throw .hostRefused }
    }

    private static func isHarmless(_ host: String) -> Bool {
        host.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
            default: false
            }
        }
    }
}
