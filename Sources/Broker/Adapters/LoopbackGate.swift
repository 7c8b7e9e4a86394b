// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import Platform

/// Decides which requests may pass at a port of 127.0.0.1. Every program of the machine can reach the port, and so
/// can every web page that a browser shows.
struct LoopbackGate: Sendable, Equatable {
    /// Bytes of an unguessable path before hexadecimal encoding: 160 bits.
    private static let pathBytes = 20
    /// Permitted lengths of a path that the user chose.
    static let pathLengths = 23...256

    let port: UInt16
    let path: String

    /// Makes a path that an attacker cannot guess.
    static func makePath() throws(PlatformError) -> String {
        "/" + HexText.encode(try SystemRandom().bytes(pathBytes))
    }

    /// Whether a chosen path may be unguessable by its length: a slash and at least 22 unreserved characters, which
    /// are 128 bits if all characters are equally likely. Other characters are not permitted.
    static func isUsable(_ path: String) -> Bool {
        pathLengths.contains(path.utf8.count) && path.utf8.first == UInt8(ascii: "/")
            && path.utf8.dropFirst().allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// The status with which a request is refused; nil if it may pass. The reply has no body, so that it does not
    /// reveal the kind of server.
    func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        // A browser names the page that a request comes from, in a preflight request too.
        guard !head.headers.contains(name: "Origin") else { return .forbidden }
        // DNS rebinding: an attacker's host name can resolve to 127.0.0.1, and the browser then treats this port as
        // part of the attacker's site.
        let hosts = head.headers["Host"]
        guard hosts.count == 1, isOurs(host: hosts[0]) else { return .forbidden }
        // Some clients of the vendor append a query to defeat caches.
        let path = head.uri.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard ConstantTime.areEqual(Array(path), Array(self.path.utf8)) else { return .notFound }
        return nil
    }

    private func isOurs(host: String) -> Bool {
        let host = host.lowercased()
        return host == "127.0.0.1:\(port)" || host == "localhost:\(port)"
    }
}
