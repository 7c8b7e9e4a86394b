// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport

/// A stand-in for a daemon without a vault. It answers one method as the test specifies.
final class DaemonStandIn: Sendable {
    struct NoSocket: Error {}

    private static let noVault =
        #"{"parameters":{"vault":{"state":"absent","path":"/v","slots":[],"memoryRefusals":[]}}}"#

    private let listener: Int32
    private let method: String
    private let answer: String?

    /// - Parameters:
    ///   - path: the path of the socket; its directory is created.
    ///   - answer: the reply to `method`; nil closes the connection instead.
    init(at path: String, method: String, answer: String?) throws {
        (self.method, self.answer) = (method, answer)
        mkdir(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), 0o700)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bound = UnixAddress(path: path)?.withSockaddr { [listener] in bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 16) == 0 else { throw NoSocket() }
        BlockingWork.start { [listener, method, answer] in
            while true {
                let peer = accept(listener, nil, nil)
                guard peer >= 0 else { break }
                Self.serve(peer, method, answer)
                close(peer)
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func serve(_ peer: Int32, _ method: String, _ answer: String?) {
        var frame: [UInt8] = []
        var byte: UInt8 = 0
        while recv(peer, &byte, 1, 0) == 1 {
            guard byte == 0 else {
                frame.append(byte)
                continue
            }
            let isMeant = String(decoding: frame, as: UTF8.self).contains(method)
            guard let text = isMeant ? answer : Self.noVault else { return }
            frame = []
            _ = Array((text + "\0").utf8).withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if isMeant { return }
        }
    }
}
