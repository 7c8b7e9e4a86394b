// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Platform

/// Where agents send an answer to; gone with this value.
struct AgentSocket: ~Copyable {
    enum Answer: ~Copyable {
        case typed(Secret)
        case dismissed
    }

    let path: String
    private let descriptor: Int32
    private static let longestPath = 107

    init(in directory: String, suffix: String) throws(PlatformError) {
        let path = "\(directory)/sck.\(suffix)"
        guard let address = UnixAddress(path: path) else {
            throw .tooLarge(subject: path, maximumBytes: Self.longestPath)
        }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(call: "socket", subject: path, errno: errno) }
        do throws(PlatformError) {
            try Self.bind(descriptor, to: address, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    private static func bind(
        _ descriptor: Int32,
        to address: UnixAddress,
        _ path: String
    ) throws(PlatformError) {
        let told = relx_tell_senders(descriptor)
        guard told == 0 else { throw .system(call: "setsockopt", subject: path, errno: -told) }
        // Its file is made with the mode that the socket has: there is no moment in which others reach it.
        fchmod(descriptor, 0o600)
        let status = address.withSockaddr { Glibc.bind(descriptor, $0, $1) }
        guard status == 0 else { throw .system(call: "bind", subject: path, errno: errno) }
    }

    /// Waits for what an agent of root's or of our own user sends; what others send is passed over.
    func answer(
        in arena: SecretArena,
        until end: ContinuousClock.Instant,
        stop: StopSignal
    ) throws(PromptError) -> Answer {
        while true {
            switch StopSignal.wait(for: POLLIN, of: descriptor, or: stop, until: end) {
            case .stopped: throw .stopped
            case .late: throw .unanswered(.zero)
            case .ready: break
            }
            var kind: UInt8?
            let typed: Secret
            do {
                typed = try Secret(capacity: PromptLimits.answerBytes + 2, in: arena) { room in
                    let count = receive(into: room)
                    kind = count > 0 ? room[0] : nil
                    return count > 0 ? Self.removeFraming(room, count) : 0
                }
            } catch {
                throw .failed(reason: "\(error)")
            }
            switch kind {
            case UInt8(ascii: "+"): return .typed(typed)
            case UInt8(ascii: "-"): return .dismissed
            default: continue
            }
        }
    }

    /// - Returns: the length of a datagram whose sender counts; else 0.
    private func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        var sender = uid_t.max
        let count = relx_receive_from(descriptor, room.baseAddress, room.count, &sender)
        // Nobody else passes the mode of the socket; root's namespaces may be arranged otherwise.
        guard count > 0, sender == 0 || sender == geteuid() else { return 0 }
        return count
    }

    /// Moves what was typed to the start: it stands behind one byte, and up to a NUL where there is one.
    private static func removeFraming(_ room: UnsafeMutableRawBufferPointer, _ count: Int) -> Int {
        let typed = room[1..<count].prefix { $0 != 0 }
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: typed))
        return typed.count
    }
}
