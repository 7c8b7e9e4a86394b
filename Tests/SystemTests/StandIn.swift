// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Locks
import Platform
import TestSupport

/// A stand-in for the daemon. It answers every method of the API with a reply that `StandInReplies` makes from its
/// description.
final class StandIn: Sendable {
    struct NoSocket: Error {}

    /// The fingerprint of every server and every pin.
    static let fingerprint = String(repeating: "0f", count: 32)
    /// The ID of the endpoint that is looked up by name. It has all logins and pins.
    static let endpoint = "e1"

    private let listener: Int32
    private let replies: Lock<StandInReplies>

    /// - Parameter path: the path of the socket, in an existing directory.
    init(at path: String, _ replies: StandInReplies) throws {
        self.replies = Lock(replies)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let bound = UnixAddress(path: path)?.withSockaddr { [listener] in bind(listener, $0, $1) }
        guard bound == 0, listen(listener, 64) == 0 else { throw NoSocket() }
        BlockingWork.start { [self] in acceptAll() }
    }

    /// Stops listening. Connections end with their clients.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The texts in replies since the last call.
    func takeTold() -> [ServedText] { replies.withLock { $0.takeTold() } }

    private func acceptAll() {
        while true {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { break }
            BlockingWork.start { [self] in
                serve(peer)
                close(peer)
            }
        }
        close(listener)
    }

    private func serve(_ peer: Int32) {
        var frame: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var isUpgraded = false
        while true {
            let count = recv(peer, &bytes, bytes.count, 0)
            guard count > 0 else { return }
            // The input after an upgrade consists of secrets.
            guard !isUpgraded else { continue }
            frame += bytes[..<count]
            while let end = frame.firstIndex(of: 0) {
                let call = (try? JSONValue(parsing: Array(frame[..<end])))?.objectValue ?? [:]
                frame.removeFirst(end + 1)
                isUpgraded = call["upgrade"] == true
                let answer = replies.withLock { $0.frames(for: call) }
                _ = answer.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
        }
    }
}
