// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import Platform

/// Which requests may pass at a port of 127.0.0.1, which every program of the machine can reach, and every web page that
/// a browser shows.
struct LoopbackGate: Sendable, Equatable {
    /// Bytes of an unguessable path before they are written as hexadecimal digits: 160 bits.
    private static let pathBytes = 20
    /// Characters of a path that a user chose.
    static let pathLengths = 23...256

    let port: UInt16
    let path: String

    /// A path that nobody can guess.
    static func makePath() throws(PlatformError) -> String {
        "/" + HexText.encode(try SystemRandom().bytes(pathBytes))
    }

    /// Whether a chosen path can be long enough to be unguessable, and has nothing but unreserved characters: a slash, and
    /// at least 22 of them, which is 128 bits where all are used alike.
    static func isUsable(_ path: String) -> Bool {
        pathLengths.contains(path.utf8.count) && path.utf8.first == UInt8(ascii: "/")
            && path.utf8.dropFirst().allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// The status that a request is refused with, or nil if it may pass. The answer has no body: it tells nobody what
    /// listens here.
    func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        // A browser names the page that a request comes from, also where it asks before it sends one.
        guard !head.headers.contains(name: "Origin") else { return .forbidden }
        // A name of an attacker's may lead to 127.0.0.1; the browser then takes this port for his site.
        let hosts = head.headers["Host"]
        guard hosts.count == 1, isOurs(host: hosts[0]) else { return .forbidden }
        // Some clients of the vendor's append a query against caches.
        let path = head.uri.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard ConstantTime.areEqual(Array(path), Array(self.path.utf8)) else { return .notFound }
        return nil
    }

    private func isOurs(host: String) -> Bool {
        let host = host.lowercased()
        return host == "127.0.0.1:\(port)" || host == "localhost:\(port)"
    }
}
