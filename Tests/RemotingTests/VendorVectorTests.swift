// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

/// Test vectors that the vendor's own client produced or accepted.
@Suite struct VendorVectorTests {
    /// Dataset and delta streams and dynamic where clauses are tested by DataAbstractTests.
    private static let ofTables: Set<String> = ["dataset-stream", "delta-stream", "dynamic-where-xml"]

    @Test("every message vector is decoded and encoded as the vendor's client does")
    func vectors() throws {
        let vectors = try Vector.all()
        #expect(vectors.count == 196)
        var passed: [String: Int] = [:]
        var later: [String: Int] = [:]
        for vector in vectors {
            switch vector.kind {
            case "bin-value": try checkValue(vector)
            case "bin-request": try checkRequest(vector)
            case "bin-response": try checkReply(vector)
            case let kind:
                #expect(Self.ofTables.contains(kind), "unknown kind \(kind)")
                later[kind, default: 0] += 1
                continue
            }
            passed[vector.kind, default: 0] += 1
        }
        #expect(passed == ["bin-value": 43, "bin-request": 54, "bin-response": 54])
        #expect(later == ["dataset-stream": 10, "delta-stream": 17, "dynamic-where-xml": 18])
        print(
            "vendor vectors: \(passed.values.reduce(0, +)) of \(vectors.count) checked both ways \(passed), "
                + "\(later.values.reduce(0, +)) belong to tables \(later)"
        )
    }

    private func checkValue(_ vector: Vector) throws {
        let input = try #require(vector.value)
        try check([input], in: vector.bytes, vector.name)
    }

    private func checkRequest(_ vector: Vector) throws {
        let input = try #require(vector.message)
        var request = try RequestMessage(decoding: vector.bytes)
        #expect(request.clientID == .example, "\(vector.name)")
        #expect(request.service == input.service, "\(vector.name)")
        #expect(request.method == input.method, "\(vector.name)")
        let values = try read(input.params ?? [], from: &request.parameters, vector.name)
        var writer = RequestMessage.writer(clientID: .example, service: request.service, method: request.method)
        for value in values { writer.write(value) }
        #expect(writer.buffer == vector.bytes, "\(vector.name)")
    }

    private func checkReply(_ vector: Vector) throws {
        guard vector.note != "must be refused" else {
            #expect(throws: RemotingError.self, "\(vector.name)") { try ReplyMessage.values(of: vector.bytes) }
            return
        }
        let input = try #require(vector.message)
        let message = try BinMessage(decoding: vector.bytes)
        #expect(message.header.isCompressed == (input.compressed ?? false), "\(vector.name)")
        #expect(message.header.clientID == .example, "\(vector.name)")
        if let events = input.events { return try checkPoll(vector, events, message) }
        if let className = input.exception {
            let expected = RemotingException(className: className, message: input.message ?? "")
            #expect(throws: RemotingError.exception(expected), "\(vector.name)") {
                try ReplyMessage.values(of: vector.bytes)
            }
            var rest = BinMessageReader(message.body)
            _ = try rest.readCounted()
            _ = try rest.readCounted()
            _ = try read(input.fields ?? [], from: &rest, vector.name)
            return
        }
        var reader = try ReplyMessage.values(of: vector.bytes)
        let values = try read(input.results ?? [], from: &reader, vector.name)
        guard vector.name != "response LoginEx true as 0xFFFFFFFF" else { return }
        var writer = BinMessageWriter()
        writer.write(utf8: input.service ?? "")
        writer.write(utf8: input.method ?? "")
        for value in values { writer.write(value) }
        #expect(writer.buffer == message.body, "\(vector.name)")
    }

    private func checkPoll(_ vector: Vector, _ events: [Vector.Event], _ message: BinMessage) throws {
        let reply = try PollReply(decoding: vector.bytes)
        #expect(reply.left == vector.message?.messagesLeft && reply.events.count == vector.message?.messageCount)
        #expect(reply.encoded(to: .example).body == message.body, "\(vector.name)")
        try checkEvents(reply, events, vector.name)
    }

    private func checkEvents(_ reply: PollReply, _ events: [Vector.Event], _ name: String) throws {
        #expect(reply.events.count == events.count, "\(name)")
        for (event, input) in zip(reply.events, events) {
            #expect(event.sink == input.sink && event.name == input.event, "\(name)")
            var parameters = BinMessageReader(event.parameters)
            _ = try read(input.params, from: &parameters, name)
        }
    }

    private func check(_ inputs: [Vector.Value], in bytes: ByteBuffer, _ name: String) throws {
        var reader = BinMessageReader(bytes)
        var writer = BinMessageWriter()
        for value in try read(inputs, from: &reader, name) { writer.write(value) }
        #expect(writer.buffer == bytes, "\(name)")
    }

    private func read(
        _ inputs: [Vector.Value],
        from reader: inout BinMessageReader,
        _ name: String
    ) throws
        -> [RemotingValue]
    {
        var values: [RemotingValue] = []
        for input in inputs {
            var catalog = StructCatalog()
            let type = input.type(into: &catalog)
            let value = try reader.readValue(type, catalog)
            #expect(value == (try input.value), "\(name)")
            values.append(value)
        }
        #expect(reader.remaining == 0, "\(name)")
        return values
    }
}
