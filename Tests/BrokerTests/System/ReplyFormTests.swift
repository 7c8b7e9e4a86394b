// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Remoting
import TestSupport
import Testing

@testable import Broker

/// The replies that a tool receives, in each form and through each kind of address.
@Suite(.endsStarted) struct ReplyFormTests {
    /// The form in which a server encodes a message. The raw value is the filter of the request.
    private enum Form: String, CaseIterable {
        case plain, compressed, drops, compressedDrops
        case large, largeCompressed
        case exception, compressedException, exceptionDrops

        var isCompressed: Bool {
            [.compressed, .compressedDrops, .largeCompressed, .compressedException].contains(self)
        }
        var isException: Bool { [.exception, .compressedException, .exceptionDrops].contains(self) }
        var isLarge: Bool { [.large, .largeCompressed].contains(self) }
        var isInDrops: Bool { [.drops, .compressedDrops, .exceptionDrops].contains(self) }

        /// The message that the server would send to `id`.
        func message(to id: ClientID) -> BinMessage {
            if isException {
                let text = "no \(id.revealedText())" + String(repeating: " such thing", count: 50)
                return ReplyMessage.encode(RemotingException(className: "ENothing", message: text), to: id)
            }
            var body = BinMessageWriter()
            body.write(utf8: "DataService")
            body.write(utf8: "GetSchemaResponse")
            // The length brings every position of a ClientID to a chunk boundary.
            var number = UInt64(0)
            for _ in 0..<(isLarge ? 30_000 : 20) {
                number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                body.write(utf8: "\(id.revealedText()) \(number >> (number % 40))")
            }
            return BinMessage(header: MessageHeader(clientID: id), body: body.buffer)
        }

        func reply(to id: ClientID) -> ScriptedServer.Reply {
            let bytes = message(to: id).encoded(compressingFrom: isCompressed ? 0 : nil)
            let reply = ScriptedServer.Reply.message(bytes, status: isException ? 500 : 200)
            return isInDrops ? reply.inDrops : reply
        }
    }

    /// The address of an adapter.
    private enum Door {
        case socket(String)
        case loopback(UInt16, String)

        func call(_ filter: String, as id: ClientID, version: String = "1.1") async throws -> [UInt8] {
            let message = Tool.getSchema(filter: filter, as: id)
            return try await BlockingWork.run {
                let (tool, place) =
                    switch self {
                    case .socket(let path): (try Tool(path), ("/bin", "x"))
                    case .loopback(let port, let path): (try Tool(port: port), (path, "127.0.0.1:\(port)"))
                    }
                let head =
                    "POST \(place.0) HTTP/\(version)\r\nHost: \(place.1)\r\n"
                    + "Content-Length: \(message.readableBytes)\r\nConnection: close\r\n\r\n"
                tool.send(Array(head.utf8) + Array(message.readableBytesView))
                return try tool.readToEnd()
            }
        }
    }

    /// An adapter on a socket, one on a port, and a grant of one login.
    private func openDoors(
        _ reply: @escaping @Sendable (String, ClientID) -> ScriptedServer.Reply
    ) async throws -> (BrokerFixture, ScriptedServer, [Door]) {
        let fixture = try await BrokerFixture()
        let server = try await ScriptedServer(on: fixture.loop) { request in
            var parameters = request.parameters
            guard request.method == "GetSchema", let filter = try? parameters.readText() else {
                return .accepted(request)
            }
            return reply(filter, request.clientID)
        }
        let endpoint = try await fixture.endpoint(at: server.address)
        try await fixture.login(to: endpoint)
        var request = GrantRequest(NamedUse(nil, login: "login"))
        request.isReadOnly = true
        let grant = try await fixture.broker.grant(request)
        var doors = [Door.socket(grant.socketPath), .socket(try await fixture.open(endpoint).socketPath)]
        if case .loopback(let port, let path) = try await fixture.open(endpoint, form: .loopback).address {
            doors.append(.loopback(port, path))
        }
        #expect(doors.count == 3)
        return (fixture, server, doors)
    }

    @Test("a reply arrives complete and readable in every form, at every address, with the tool's own ClientID")
    func forms() async throws {
        let (_, server, doors) = try await openDoors({ (Form(rawValue: $0) ?? .plain).reply(to: $1) })
        for door in doors {
            for form in Form.allCases {
                for version in ["1.1", "1.0"] {
                    let id = ClientID()
                    let bytes = try await door.call(form.rawValue, as: id, version: version)
                    let answer = try #require(Tool.answer(in: bytes, isWhole: true), "\(form) \(version)")
                    #expect(answer.status == (form.isException ? 500 : 200))
                    #expect(answer.byteCount == bytes.count)
                    var start = answer.body
                    #expect(try !MessageHeader(from: &start).isCompressed, "\(form)")
                    let isSame = answer.body == form.message(to: id).encoded()
                    #expect(isSame, "\(form) \(version) \(door)")
                    if version == "1.0" { #expect(!answer.isChunked) }
                }
            }
        }
        #expect(server.count("LoginEx") == 1)
        #expect(server.connections <= 4, "a connection serves the next call when a long reply has passed")
    }

    /// Ways in which a large reply breaks off.
    static let faults: [(name: String, @Sendable (ClientID) -> ScriptedServer.Reply)] = [
        ("half", { id in .bytesThenClose(Array(bytes(.large, id).dropLast(1 << 20))) }),
        ("half of what is compressed", { id in .bytesThenClose(Array(bytes(.largeCompressed, id).dropLast(100_000))) }),
        (
            "no end of what is compressed",
            { id in
                let message = Form.largeCompressed.message(to: id).encoded(compressingFrom: 0)
                return .message(message.getSlice(at: 0, length: message.readableBytes - 2) ?? message)
            }
        ),
        (
            "bytes after what is compressed",
            { id in
                var message = Form.largeCompressed.message(to: id).encoded(compressingFrom: 0)
                message.writeString("more")
                return .message(message)
            }
        ),
        (
            "damage",
            { id in
                var message = Form.largeCompressed.message(to: id).encoded(compressingFrom: 0)
                message.setRepeatingByte(0xFF, count: 50, at: message.readableBytes / 2)
                return .message(message)
            }
        ),
    ]

    private static func bytes(_ form: Form, _ id: ClientID) -> [UInt8] { form.reply(to: id).bytes }

    @Test("a large reply that breaks off breaks off the tool's connection, and is requested only once")
    func faults() async throws {
        let (_, server, doors) = try await openDoors { name, id in
            Self.faults.first { $0.name == name }?.1(id) ?? .bytesThenClose([])
        }
        for (index, fault) in Self.faults.enumerated() {
            let door = doors[index % doors.count]
            let bytes = try await door.call(fault.name, as: ClientID())
            #expect(bytes.starts(with: Array("HTTP/1.1 200 OK\r\n".utf8)), "\(fault.name)")
            #expect(bytes.count > 64 << 10, "\(fault.name)")
            #expect(Tool.answer(in: bytes) == nil, "\(fault.name)")
            #expect(server.count("GetSchema") == index + 1, "\(fault.name)")
        }
    }

    @Test("a tool that disconnects within a reply stops the reading from the server")
    func hangUp() async throws {
        // All but the last byte arrives.
        let (fixture, server, doors) = try await openDoors({ .bytes(Self.bytes(.large, $1).dropLast()) })
        guard case .socket(let path) = doors[1] else { return }
        try await BlockingWork.run {
            let tool = try Tool(path)
            tool.send(Tool.post(Tool.getSchema()))
            #expect(try !tool.readSome().isEmpty)
        }
        try await eventually { server.openConnections == 0 }
        #expect(await fixture.broker.freeRequestBytes == AdapterLimits().totalRequestBytes)
    }
}
