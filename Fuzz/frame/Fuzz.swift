// SPDX-License-Identifier: Apache-2.0

import Fuzzing
import JSON
import Locks
import Logging
import NIOCore
import NIOEmbedded
import Varlink

@testable import VarlinkService

/// Input of a peer to the daemon's socket, Varlink or HTTP. However it is split, the replies are the same, and nothing
/// is left in memory afterwards. The first byte determines the split. A fault is reported by a crash, as libFuzzer
/// requires.
@main
enum FrameFuzz: FuzzTarget {
    static func run(_ input: UnsafeRawBufferPointer) {
        let input = Array(input)
        guard let cut = input.first else { return }
        let bytes = Array(input.dropFirst())
        let whole = Conversation.answer(to: [bytes])
        guard Conversation.answer(to: pieces(of: bytes, cut)) == whole else { fatalError("the cut makes a difference") }
    }
}

/// Chunks of 1 to 64 bytes, chosen by a small generator.
private func pieces(of bytes: [UInt8], _ seed: UInt8) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    var state = UInt32(seed)
    while !rest.isEmpty {
        state = state &* 1_664_525 &+ 1_013_904_223
        let piece = rest.prefix(1 + Int(state >> 26))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
    }
    return pieces
}

/// One connection to a server, from its first byte to its end.
private enum Conversation {
    private static let limits: VarlinkLimits = {
        // Small limits are reached more often.
        var limits = VarlinkLimits()
        (limits.frameBytes, limits.frameDepth, limits.headBytes, limits.headFields) = (600, 6, 300, 6)
        return limits
    }()

    private static let methods: MethodTable = {
        let info = VarlinkServiceInfo(vendor: "v", product: "p", version: "1", url: "u")
        let interface = Interface()
        guard let table = try? MethodTable([ServiceInterface(info, others: [interface]), interface]) else {
            fatalError("the interface is none")
        }
        return table
    }()

    static func answer(to pieces: [[UInt8]]) -> [UInt8] {
        let usage = Usage()
        let loop = EmbeddedEventLoop()
        let channel = EmbeddedChannel(loop: loop)
        let server = ServerContext(
            methods: methods,
            limits: limits,
            face: HTTPFace(),
            failure: VarlinkError("a.b.Failure"),
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() },
            loop: loop,
            onUsage: { figures in usage.last.withLock { $0 = figures } }
        )
        let handler = ConnectionHandler(peer: VarlinkPeer(pid: 1, uid: 1, gid: 1), server: server)
        guard server.enter(handler) else { fatalError("nobody is let in") }
        guard (try? channel.pipeline.syncOperations.addHandler(handler)) != nil else { fatalError("no pipeline") }
        _ = try? channel.connect(to: SocketAddress(unixDomainSocketPath: "/s")).wait()
        for piece in pieces where channel.isActive {
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
            loop.run()
        }
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        loop.run()
        var answer: [UInt8] = []
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) { answer += buffer.readableBytesView }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        loop.run()
        let left = usage.last.withLock { $0 }
        guard left.connections == 0, left.runningCalls == 0 else { fatalError("something is left: \(left)") }
        return answer
    }
}

/// The latest figures that a server has reported.
private final class Usage: Sendable {
    let last = Lock(VarlinkUsage())
}

/// One method of each kind: one reply, several, and a secret.
private struct Interface: VarlinkInterface {
    let name = "a.b"
    let description = """
        interface a.b
        method Echo(text: string) -> (text: string)
        method Count(to: int) -> (value: int)
        method Secret(limit: int) -> (length: int)
        """

    func isSafe(_ method: String) -> Bool { method == "Count" }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Echo": call.reply(["text": .string(try call.parameters.string("text"))])
        case "Count":
            let last = min(max(1, try call.parameters.integer("to")), 9)
            for value in 1..<last { try await call.reply(continuing: ["value": .integer(value)]) }
            call.reply(["value": .integer(last)])
        default:
            let limit = try call.parameters.integer("limit")
            let length = try await call.upgraded(maximumBytes: Int(min(max(0, limit), 64))) { Int64($0.count) }
            call.reply(["length": .integer(length)])
        }
    }
}
