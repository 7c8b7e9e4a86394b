// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Discovery

/// A DNS server on loopback that answers each question according to a plan, over UDP and TCP. The data before or
/// instead of an answer is random, from a seed.
final class HostileServer: Sendable {
    /// The handling of a question. The number in its first label selects the plan, so that a test knows the expected
    /// result.
    enum Plan: Int, CaseIterable {
        /// Datagrams without an answer, and then the answer.
        case noise
        /// The same with a truncated answer, and the complete one over TCP, byte by byte.
        case slices
        /// Random bytes after a length, over TCP.
        case garbage
        /// The longest possible message over TCP, full of names that point to each other.
        case huge
        /// The end of the connection without data, over TCP.
        case hangUp
        /// An answer with an error code.
        case refusal

        /// The longest messages are rare: they take the most time to make and to read.
        init(_ number: Int) {
            let others = Self.allCases.filter { $0 != .huge }
            self = number % 50 == 0 ? .huge : others[number % others.count]
        }

        init(_ question: DNSQuestion) {
            let digits = question.name.labels.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
            self.init(Int(digits) ?? 0)
        }
    }

    let address: AddressAndPort
    private let datagrams: any Channel
    private let streams: any Channel

    init(seed: UInt64, on loop: any EventLoop) async throws {
        streams = try await ServerBootstrap(group: loop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Stream(seed: seed))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(streams.localAddress?.port)
        datagrams = try await DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Datagrams(seed: seed))
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        address = AddressAndPort(try #require(IPAddress("127.0.0.1")), port: UInt16(port))
    }

    deinit {
        datagrams.close(promise: nil)
        streams.close(promise: nil)
    }

    /// The right answer to a question of the client: 10.1.2.3.
    static func answer(to question: [UInt8], flags: UInt16 = 0x8180) -> [UInt8] {
        let isCut = flags & 0x0200 != 0
        var bytes =
            Array(question.prefix(2)) + [UInt8(flags >> 8), UInt8(flags & 0xFF), 0, 1, 0, isCut ? 0 : 1, 0, 0, 0, 0]
        bytes += question.dropFirst(12)
        if !isCut { bytes += [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 1, 2, 3] }
        return bytes
    }

    /// The question in a message of the client.
    private static func question(in message: [UInt8]) -> DNSQuestion? {
        var reader = DNSReader(message)
        guard (try? reader.take(12)) != nil, let name = try? reader.name() else { return nil }
        return DNSQuestion(name: name, kind: .address)
    }

    /// A datagram that looks like an answer to the question but is not one.
    private static func noise(on question: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = answer(to: question)
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[0] ^= UInt8.random(in: 1...255, using: &random)
        case 1: bytes[13] ^= 0x01
        case 2: bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
        case 3:
            bytes = (0..<Int.random(in: 0...1_400, using: &random)).map { _ in .random(in: 0...255, using: &random) }
        // The name of the question points to itself, or there is none.
        case 4: bytes.replaceSubrange(12..<14, with: [0xC0, 12])
        case 5: bytes[5] = 0
        // More records than the message has.
        default: (bytes[6], bytes[7]) = (0xFF, 0xFF)
        }
        return bytes
    }

    private final class Datagrams: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        private var random: SeededRandom

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            let message = Array(envelope.data.readableBytesView)
            guard let question = HostileServer.question(in: message) else { return }
            var replies = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                HostileServer.noise(on: message, using: &random)
            }
            switch Plan(question) {
            case .noise: replies.append(HostileServer.answer(to: message))
            case .refusal: replies.append(HostileServer.answer(to: message, flags: 0x8185))
            case .slices, .garbage, .huge, .hangUp: replies.append(HostileServer.answer(to: message, flags: 0x8380))
            }
            for reply in replies {
                let envelope = AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: ByteBuffer(bytes: reply))
                context.write(NIOAny(envelope), promise: nil)
            }
            context.flush()
        }
    }

    private final class Stream: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var random: SeededRandom
        private var received: [UInt8] = []

        init(seed: UInt64) { random = SeededRandom(seed: seed) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += Array(unwrapInboundIn(data).readableBytesView)
            let message = Array(received.dropFirst(2))
            guard received.count > 2, let question = HostileServer.question(in: message) else { return }
            received = []
            switch Plan(question) {
            case .garbage:
                let count = Int.random(in: 0...2_000, using: &random)
                send((0..<count).map { _ in .random(in: 0...255, using: &random) }, context)
            case .huge: send(Self.pointers(to: message), context)
            case .hangUp: context.close(promise: nil)
            case .noise, .slices, .refusal: slice(HostileServer.answer(to: message), context)
            }
        }

        private func send(_ message: [UInt8], _ context: ChannelHandlerContext) {
            let length = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)]
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: length + message)), promise: nil)
        }

        private func slice(_ message: [UInt8], _ context: ChannelHandlerContext) {
            for byte in [0, UInt8(message.count)] + message {
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: [byte])), promise: nil)
            }
        }

        /// 65,535 bytes of records whose names each lead through all before.
        private static func pointers(to question: [UInt8]) -> [UInt8] {
            var bytes = HostileServer.answer(to: question)
            (bytes[6], bytes[7]) = (0x0F, 0xFF)
            var last = 12
            while bytes.count + 14 <= Int(UInt16.max) {
                let start = bytes.count
                bytes += [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF), 0, 12, 0, 1, 0, 0, 0, 60, 0, 2]
                bytes += [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF)]
                if start <= 0x3FFF { last = start }
            }
            return bytes + [UInt8](repeating: 0, count: Int(UInt16.max) - bytes.count)
        }
    }
}
