// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// Rejects requests from web pages, in case the user forwards the socket to a TCP port.
enum HTTPGate {
    static func check(_ headers: HTTPHeaders) throws(HTTPFailure) {
        // A browser sends the origin of the page that makes the request.
        guard !headers.contains(name: "Origin") else { throw .originRefused }
        // A name that an attacker's DNS server resolves contains a dot. On a Unix socket the host name has no
        // meaning.
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
