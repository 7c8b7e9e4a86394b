// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import NIOCore
import NIOPosix
import TestSupport

/// A faulty link to a server: a proxy on loopback that delays bytes, truncates them, resets connections and drops data,
/// with faults chosen by a seeded generator for each connection.
final class FaultyLink: Sendable {
    enum Fault: CaseIterable {
        case none
        /// Every part is delayed.
        case delays
        /// After some bytes nothing is forwarded. Then the connection closes.
        case swallows
        /// After some bytes the connection closes normally.
        case truncates
        /// After some bytes the connection is reset.
        case resets
        /// The connection closes immediately.
        case refuses
    }

    enum Direction: CaseIterable { case toServer, toClient }

    private struct State {
        var random: SeededRandom
        var isHealed = false
        var counts: [Fault: Int] = [:]
        var open = 0
    }

    private final class StateBox: Sendable {
        let value: Lock<State>
        init(_ seed: UInt64) { value = Lock(State(random: SeededRandom(seed: seed))) }
    }

    let address: SocketAddress
    private let channel: any Channel
    private let state: StateBox

    /// - Parameter faulty: the percentage of connections that get a fault.
    init(to server: SocketAddress, on loop: any EventLoop, faulty: Int, seed: UInt64) async throws {
        let state = StateBox(seed)
        self.state = state
        channel = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                let plan = state.value.withLock { state in
                    let isFaulty = !state.isHealed && Int.random(in: 0..<100, using: &state.random) < faulty
                    let fault = isFaulty ? Fault.allCases.dropFirst().randomElement(using: &state.random) : nil
                    state.counts[fault ?? .none, default: 0] += 1
                    state.open += 1
                    return Plan(fault: fault ?? .none, random: &state.random)
                }
                channel.closeFuture.whenComplete { _ in state.value.withLock { $0.open -= 1 } }
                return Self.join(channel, to: server, plan)
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let address = channel.localAddress else { throw ChannelError.unknownLocalAddress }
        self.address = address
    }

    /// Ends all faults, for new and existing connections.
    func heal() { state.value.withLock { $0.isHealed = true } }

    var counts: [Fault: Int] { state.value.withLock { $0.counts } }
    /// The number of connections of the client.
    var openConnections: Int { state.value.withLock { $0.open } }

    func stop() async { try? await channel.close() }

    /// The faults of one connection.
    private struct Plan {
        let fault: Fault
        let direction: Direction
        let bytes: Int
        let pause: TimeAmount

        init(fault: Fault, random: inout SeededRandom) {
            self.fault = fault
            direction = Direction.allCases.randomElement(using: &random) ?? .toClient
            bytes = Int.random(in: 0..<2_500, using: &random)
            pause = .milliseconds(Int64.random(in: 5...80, using: &random))
        }
    }

    private static func join(_ client: any Channel, to server: SocketAddress, _ plan: Plan) -> EventLoopFuture<Void> {
        if plan.fault == .refuses {
            // Deferred until it is registered.
            client.eventLoop.execute { reset(client) }
            return client.eventLoop.makeSucceededVoidFuture()
        }
        let loop = client.eventLoop
        let other = ClientBootstrap(group: loop)
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(
                        Half(other: loop.makeSucceededFuture(client), plan, .toClient)
                    )
                }
            }
            .connect(to: server)
        other.whenFailure { _ in client.close(promise: nil) }
        other.whenSuccess { server in
            client.closeFuture.whenComplete { _ in server.close(promise: nil) }
            server.closeFuture.whenComplete { _ in client.close(promise: nil) }
        }
        return loop.makeCompletedFuture {
            try client.pipeline.syncOperations.addHandler(Half(other: other, plan, .toServer))
        }
    }

    private static func reset(_ channel: any Channel) {
        let linger = linger(l_onoff: 1, l_linger: 0)
        let isSet = (channel as? any SocketOptionProvider)?.setSoLinger(linger)
        (isSet ?? channel.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in channel.close(promise: nil) }
    }

    /// Forwards the bytes from one side.
    private final class Half: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let other: EventLoopFuture<any Channel>
        private let plan: Plan
        private let isFaulty: Bool
        private var passed = 0
        private var isOver = false

        init(other: EventLoopFuture<any Channel>, _ plan: Plan, _ direction: Direction) {
            self.other = other
            self.plan = plan
            isFaulty = plan.direction == direction
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isOver else { return }
            var bytes = unwrapInboundIn(data)
            let (other, channel) = (other, context.channel)
            switch isFaulty ? plan.fault : .none {
            case .none, .refuses: pass(bytes)
            case .delays:
                let late = bytes
                context.eventLoop.scheduleTask(in: plan.pause) {
                    other.whenSuccess { $0.writeAndFlush(late, promise: nil) }
                }
            case .swallows, .truncates, .resets:
                let rest = plan.bytes - passed
                passed += bytes.readableBytes
                guard passed > plan.bytes else { return pass(bytes) }
                isOver = true
                if let head = bytes.readSlice(length: max(0, rest)) { pass(head) }
                switch plan.fault {
                case .swallows: context.eventLoop.scheduleTask(in: plan.pause * 4) { channel.close(promise: nil) }
                case .resets:
                    other.whenSuccess { FaultyLink.reset($0) }
                    FaultyLink.reset(channel)
                default: channel.close(promise: nil)
                }
            }
        }

        private func pass(_ bytes: ByteBuffer) {
            other.whenSuccess { $0.writeAndFlush(bytes, promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
