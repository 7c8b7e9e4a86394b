// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOCore
import NIOPosix
import Remoting
import TestSupport
import Testing

@testable import DataAbstract

/// Replies of a server that does not follow the protocol, or answers slowly.
@Suite struct TableReplyTests {
    private static func table(rows: Int) throws -> DataTable {
        var table = try DataTable(name: "T", columns: [DataColumn("A", .wideString), DataColumn("B", .integer)])
        for row in 0..<rows { try table.append([.text("row \(row)"), .integer(Int64(row))]) }
        return table
    }

    private func adapter(_ server: CannedServer, idleTimeout: Duration = .seconds(30)) throws -> RemoteDataAdapter {
        try RemoteDataAdapter(socketPath: server.path, idleTimeout: idleTimeout)
    }

    /// Reads the table T from a server that sends `reply`.
    private func read(_ reply: [ByteBuffer], limits: TableLimits = .standard) async throws -> DataTable {
        let server = try await CannedServer(reply)
        let adapter = try adapter(server)
        defer { withExtendedLifetime(server) {} }
        return try await adapter.table(TableRequest("T"), limits: limits)
    }

    @Test("a reply in small parts, and compressed, gives the table", arguments: [1, 7, 500], [false, true])
    func parts(size: Int, compressed: Bool) async throws {
        let table = try Self.table(rows: 12)
        let message = ByteBuffer.dataReply(try TableStream([table]).encoded(), compressed: compressed)
        let read = try await read(ByteBuffer.reply(message).parts(of: size))
        #expect(read.rows.elementsEqual(table.rows))
    }

    @Test("a result of another size than announced is an error, and so is a null result")
    func sizes() async throws {
        let stream = try TableStream([Self.table(rows: 3)]).encoded()
        let count = stream.readableBytes
        for wrong in [count - 1, count + 1, 0, -1, Int(Int32.max)] {
            let reply = [ByteBuffer.reply(.dataReply(stream, count: wrong))]
            do {
                _ = try await read(reply)
                Issue.record("\(wrong)")
            } catch is DataAdapterError {
            } catch is TableError {}
        }
        await #expect(throws: DataAdapterError.malformed(reason: "a null result")) {
            try await read([.reply(.dataReply(nil))])
        }
        let limits = TableLimits(bytes: 50)
        await #expect(throws: DataAdapterError.tooLarge(limit: 50)) {
            try await read([.reply(.dataReply(stream))], limits: limits)
        }
    }

    @Test("a reply with another table than the one that was requested is an error; the case of its name is free")
    func otherTable() async throws {
        func reply(_ name: String) throws -> [ByteBuffer] {
            var table = try DataTable(name: name, columns: [DataColumn("A", .integer)])
            try table.append([.integer(1)])
            return [.reply(.dataReply(try TableStream([table]).encoded()))]
        }
        for name in ["t", "T", " T", ""] { #expect(try await read(try reply(name)).rows.count == 1) }
        for name in ["U", "T2", "\0"] {
            let error = await #expect(throws: TableError.self) { try await read(try reply(name)) }
            #expect(error.map { "\($0)".contains("another table, \(name.debugDescription)") } == true, "\(name)")
        }
        // The bytes as they are have the same rule.
        for (name, isTaken) in [("t", true), ("", true), ("U", false)] {
            let server = try await CannedServer(try reply(name))
            let bytes = try await adapter(server).data([TableRequest("T")])
            var count = 0
            func readAll() async throws { while let some = try await bytes.nextBytes() { count += some.readableBytes } }
            if isTaken {
                try await readAll()
                var table = try DataTable(name: name, columns: [DataColumn("A", .integer)])
                try table.append([.integer(1)])
                #expect(count == (try TableStream([table]).encoded()).readableBytes)
            } else {
                await #expect(throws: TableError.self) { try await readAll() }
            }
            withExtendedLifetime(server) {}
        }
        // A statement names its result as it likes.
        let server = try await CannedServer(try reply("SQLResult"))
        let rows = try await adapter(server).tables([TableRequest("R", .sql("select A from T"))])
        #expect(rows.map(\.rows.count) == [1])
        withExtendedLifetime(server) {}
    }

    @Test("an exception has the stack trace of a .NET server")
    func stackTrace() async throws {
        var message = ReplyMessage.encode(RemotingException(className: "E", message: "m"), to: ClientID())
        var trace = BinMessageWriter()
        trace.write(utf8: "  at Server.GetData()")
        message.body.writeImmutableBuffer(trace.buffer)
        let server = try await CannedServer([.reply(message.encoded(), status: 500)])
        let error = await #expect(throws: DataAdapterError.self) { try await adapter(server).schema() }
        guard case .exception(let exception)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(exception.stackTrace == "  at Server.GetData()" && !exception.isFromDaemon)
        let rows = try await CannedServer([.reply(message.encoded(), status: 500)])
        let second = await #expect(throws: DataAdapterError.self) { try await adapter(rows).table(TableRequest("T")) }
        #expect(second == error)
        withExtendedLifetime((server, rows)) {}
    }

    @Test("a reply that is cut at any byte is an error")
    func truncated() async throws {
        let message = ByteBuffer.dataReply(try TableStream([Self.table(rows: 1)]).encoded())
        for length in stride(from: 0, to: message.readableBytes, by: 5) {
            let cut = try #require(message.getSlice(at: 0, length: length))
            await #expect(throws: (any Error).self) { try await read([.reply(cut)]) }
        }
    }

    @Test("damaged bytes give an error or a table", arguments: 0..<40)
    func mutations(seed: UInt64) async throws {
        var numbers = SeededRandom(seed: seed)
        let stream = try TableStream([Self.table(rows: 5)]).encoded()
        let message = ByteBuffer.dataReply(stream, compressed: seed.isMultiple(of: 4)).mutated(&numbers)
        _ = try? await read([.reply(message)])
    }

    @Test("the reply to another call is an error, which closes the connection")
    func otherCall() async throws {
        let stream = try TableStream([Self.table(rows: 3)]).encoded()
        var message = ByteBuffer.dataReply(stream)
        message.setString("GetThatResponse", at: 28 + 4 + 11 + 4)
        let other = DataAdapterError.malformed(reason: "the reply to another call")
        await #expect(throws: other) { try await read([.reply(message)]) }

        let server = try await CannedServer([.reply(.dataReply(stream))])
        let adapter = try adapter(server)
        await #expect(throws: other) { try await adapter.update(DeltaStream()) }
        while server.closedConnections == 0 { await Task.yield() }
        await adapter.close()
        try await server.stop()
    }

    @Test("changes of which none was sent are the reply to another call")
    func otherChanges() async throws {
        var delta = Delta(name: "T", fields: [DataColumn("A", .integer)], keys: ["A"])
        try delta.append(.insert, recordID: 1, old: [.integer(1)], new: [.integer(1)], status: .resolved)
        var writer = BinMessageWriter()
        writer.write(utf8: "DataService")
        writer.write(utf8: "UpdateDataResponse")
        writer.write(binary: try DeltaStream([delta]).encoded())
        let message = BinMessage(header: MessageHeader(clientID: ClientID()), body: writer.buffer).encoded()
        let server = try await CannedServer([.reply(message)])
        let adapter = try adapter(server)
        let sent = DeltaStream([delta])
        // The IDs of two calls differ but for a chance of 1 in 2^30.
        await #expect(throws: ApplyFailure.unknownOutcome("malformed reply: the reply to another call")) {
            try await AdapterChangeServer(adapter).update(sent)
        }
        await adapter.close()
        try await server.stop()
    }

    @Test("an exception has its class, its text and the HTTP status")
    func exception() async throws {
        let message = ReplyMessage.encode(
            RemotingException(className: "RelativitydException", message: "vault is locked"),
            to: ClientID()
        )
        do {
            _ = try await read([.reply(message.encoded(), status: 403)])
            Issue.record("no error")
        } catch DataAdapterError.exception(let exception) {
            #expect(exception.isFromDaemon && exception.status == 403 && exception.message == "vault is locked")
        }
        // Adapters pass exceptions of servers on with this status.
        do {
            _ = try await read([.reply(message.encoded(), status: 500)])
            Issue.record("no error")
        } catch DataAdapterError.exception(let exception) {
            #expect(!exception.isFromDaemon)
        }
        await #expect(throws: DataAdapterError.httpStatus(503)) {
            try await read([.reply(ByteBuffer(string: "no"), status: 503)])
        }
    }

    @Test("the idle timeout ends a reply that pauses, but not one that is slow")
    func idle() async throws {
        let table = try Self.table(rows: 10)
        let reply = ByteBuffer.reply(.dataReply(try TableStream([table]).encoded()))
        let slow = try await CannedServer(reply.parts(of: 40), pause: .milliseconds(40))
        let read = try await adapter(slow, idleTimeout: .milliseconds(400)).table(TableRequest("T"))
        #expect(read.rows.count == 10)

        let stopped = try await CannedServer([try #require(reply.getSlice(at: 0, length: 150))])
        await #expect(throws: DataAdapterError.timedOut) {
            try await adapter(stopped, idleTimeout: .milliseconds(200)).table(TableRequest("T"))
        }
        let silent = try await CannedServer([])
        await #expect(throws: DataAdapterError.timedOut) {
            try await adapter(silent, idleTimeout: .milliseconds(200)).schema()
        }
    }

    /// A reply whose rows do not end.
    private func endless() async throws -> CannedServer {
        let stream = try TableStream([Self.table(rows: 100_000)]).encoded()
        let reply = ByteBuffer.reply(.dataReply(stream))
        let start = try #require(reply.getSlice(at: 0, length: 20_000))
        return try await CannedServer([start])
    }

    @Test("cancelling the task closes the connection")
    func cancelledTask() async throws {
        let server = try await endless()
        let adapter = try adapter(server)
        let task = Task {
            var rows = 0
            for try await event in try await adapter.data([TableRequest("T")]) {
                if case .rows(let batch) = event { rows += batch.count }
                if rows > 100 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        try await eventually { server.closedConnections == 1 }
    }

    @Test("a reply that is released or cancelled closes the connection")
    func released() async throws {
        let server = try await endless()
        let adapter = try adapter(server)
        for try await event in try await adapter.data([TableRequest("T")]) {
            if case .rows = event { break }
        }
        try await eventually { server.closedConnections == 1 }

        let reply = try await adapter.data([TableRequest("T")])
        let reading = Task { for try await _ in reply {} }
        try await eventually { reply.progress.bytesReceived > 10_000 }
        await reply.cancel()
        await #expect(throws: DataAdapterError.closed) { try await reading.value }
        try await eventually { server.closedConnections == 2 }
    }

    @Test("without an adapter the error is unreachable; after close it is closed")
    func unreachable() async throws {
        let nowhere = try RemoteDataAdapter(socketPath: "/nonexistent/socket")
        do {
            _ = try await nowhere.schema()
            Issue.record("no error")
        } catch DataAdapterError.unreachable {}
        await nowhere.close()
        await #expect(throws: DataAdapterError.closed) { try await nowhere.schema() }
        let long = String(repeating: "x", count: 200)
        #expect(throws: DataAdapterError.self) { try RemoteDataAdapter(socketPath: long) }
    }

    @Test("values survive the way to a parameter and back")
    func parameters() throws {
        let values: [DataValue] = [
            .null, .integer(1), .integer(1 << 40), .float(1.5), .dateTime(days: 2), .currency(scaled: 15_000),
            .boolean(true), .text("ä"), .bytes(ByteBuffer(string: "x")), .decimal(try #require(DataDecimal("1.50"))),
        ]
        for value in values { #expect(DataValue(value.variant) == value) }
        #expect(DataValue.unsigned(7).variant == .int32(7))
        #expect(DataValue(DataValue.unsigned(.max).variant) == .decimal(try #require(DataDecimal("\(UInt64.max)"))))
        #expect(DataValue(.array([.null])) == nil)
    }
}
