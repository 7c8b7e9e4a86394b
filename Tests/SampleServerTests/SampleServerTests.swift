// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Foundation
import Logging
import NIOCore
import NIOPosix
import Remoting
import TestSupport
import Testing

@testable import SampleServer

@Suite struct SampleServerTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    let deadline = Duration.seconds(20)

    /// Runs a server on a port of its own, with a channel to it.
    func withServer(
        path: String = "/bin",
        _ change: (inout SampleOptions) -> Void = { _ in },
        _ body: (RemotingChannel, _ folder: String) async throws -> Void
    ) async throws {
        let folder = TemporaryDirectory()
        var options = SampleOptions(
            addresses: [try SocketAddress(ipAddress: "127.0.0.1", port: 0)],
            dataDirectory: folder.path(of: "data")
        )
        change(&options)
        let server = try await RunningSampleServer.start(
            options,
            loop: loop,
            pool: .singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let address = try #require(server.addresses.first)
        let target = try RemotingTarget(address: address, hostHeader: "localhost", path: path, security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop)
        try await body(channel, folder.path)
        await channel.close()
        await server.stop()
    }

    func logIn(
        _ id: ClientID,
        over channel: RemotingChannel,
        user: String = "simple",
        password: String = "simple",
        domain: String = "DASamples",
        schema: String? = "Simple"
    ) async throws -> Bool {
        let request = try Array(password.utf8).withUnsafeBytes {
            let login = try LoginString(user: user, domain: domain, schema: schema)
            return try LoginRequest.encode(login, password: $0, clientID: id)
        }
        return try await LoginService(channel: channel).login(request, deadline: deadline)
    }

    @Test("only the sample's accounts in its domain can log in")
    func accounts() async throws {
        try await withServer { channel, _ async throws in
            #expect(try await logIn(ClientID(), over: channel, user: "Data", password: "Relativity", schema: nil))
            #expect(try await logIn(ClientID(), over: channel, domain: "dasamples", schema: ""))
            #expect(try await !logIn(ClientID(), over: channel, password: "Simple"))
            #expect(try await !logIn(ClientID(), over: channel, user: "nobody"))
            #expect(try await logIn(ClientID(), over: channel, domain: "", schema: ""))
            #expect(try await !logIn(ClientID(), over: channel, domain: "other"))
            #expect(try await !logIn(ClientID(), over: channel, schema: "PCTrade"))
            #expect(try await !logIn(ClientID(), over: channel, user: #"simple";Domain="DASamples"#, domain: "x"))
        }
    }

    @Test("user and password as parameters log in, with a connection if the service has one")
    func plainLogins() async throws {
        try await withServer { channel, _ async throws in
            let cases: [(service: String, user: String, password: String, connection: String?, isAccepted: Bool)] = [
                ("SimpleLoginService", "Data", "Relativity", nil, true),
                ("SimpleLoginService", "Data", "wrong", nil, false),
                ("MultiDbLoginService", "simple", "simple", "Sample", true),
                ("MultiDbLoginServiceV5", "simple", "simple", "", true),
                ("MultiDbLoginService", "simple", "simple", "Other", false),
                // The service that the vendor's client calls by default, whichever login method it uses.
                ("LoginService", "Data", "Relativity", nil, true), ("LoginService", "Data", "wrong", nil, false),
                ("LoginService", "simple", "simple", "Sample", true),
                ("LoginService", "simple", "simple", "Other", false),
            ]
            for (name, user, password, connection, isAccepted) in cases {
                let id = ClientID()
                let method = connection == nil ? ServiceCatalog.simpleLogin : ServiceCatalog.multiDbLogin
                let values = [user, password, connection].compactMap { $0.map { RemotingValue.utf8String($0) } }
                let request = method.request(values, service: name, clientID: id)
                let reply = try await channel.post(request, deadline: deadline)
                #expect(try LoginReply.decode(reply) == isAccepted, "\(name)")
                let data = DataService(channel: channel)
                if isAccepted {
                    #expect(try await data.schema(clientID: id, deadline: deadline).contains("Deps"))
                    try await LoginService(channel: channel, name: name).logout(clientID: id, deadline: deadline)
                }
                await #expect(throws: RemotingError.exception(.sessionNotFound)) {
                    try await data.schema(clientID: id, deadline: deadline)
                }
            }
            for name in ["MultiDbLoginServiceV5", "LoginService"] {
                let service = ConnectionQueries(channel: channel, service: name)
                #expect(try await service.names(deadline) == .array([.utf8String("Sample")]))
                #expect(try await service.defaultName(deadline) == .utf8String("Sample"))
            }
            let unknown = RemotingException(className: "Exception", message: "unknown service or method")
            await #expect(throws: RemotingError.exception(unknown)) {
                _ = try await ConnectionQueries(channel: channel, service: "MultiDbLoginService").names(deadline)
            }
        }
    }

    @Test("the other spelling of the user's key and unknown keys are accepted")
    func loginStrings() async throws {
        try await withServer { channel, _ async throws in
            for key in LoginUserKey.allCases {
                let login = try LoginString(
                    user: "simple",
                    domain: "DASamples",
                    schema: nil,
                    userKey: key,
                    further: [LoginStringEntry(key: "Level", value: "Data;User Id=x")]
                )
                let request = try Array("simple".utf8).withUnsafeBytes {
                    try LoginRequest.encode(login, password: $0, clientID: ClientID())
                }
                #expect(try await LoginService(channel: channel).login(request, deadline: deadline))
            }
        }
    }

    @Test("an event reaches every session by polls, in order, and no client without a session")
    func events() async throws {
        try await withServer { channel, _ async throws in
            let (raiser, listener) = (ClientID(), ClientID())
            for id in [raiser, listener] { #expect(try await logIn(id, over: channel)) }
            let announce = MethodSignature("Announce", SampleEvents.parameters)
            for text in ["one", "zwei ü", "three"] {
                let request = announce.request([.utf8String(text)], service: "DASampleService", clientID: raiser)
                _ = try announce.results(of: try await channel.post(request, deadline: deadline))
            }
            func poll(_ id: ClientID, _ limit: Int32) async throws -> PollReply {
                let request = PollRequest(clientID: id, eventLimit: limit).encoded()
                return try PollReply(decoding: try await channel.post(request, deadline: deadline))
            }
            func texts(_ reply: PollReply) throws -> [String] {
                try reply.events.map { event in
                    #expect(event.sink == "SampleEvents" && event.name == "Announced")
                    var parameters = BinMessageReader(event.parameters)
                    return try parameters.readUTF8()
                }
            }
            let first = try await poll(listener, 2)
            #expect(try texts(first) == ["one", "zwei ü"])
            #expect(first.left == 1)
            #expect(try texts(await poll(listener, 10)) == ["three"])
            #expect(try await poll(listener, 10) == PollReply(events: []))
            #expect(try texts(await poll(raiser, 10)) == ["one", "zwei ü", "three"])
            await #expect(throws: RemotingError.exception(.sessionNotFound)) { try await poll(ClientID(), 1) }
        }
    }

    @Test("the queue of a client that never polls keeps only the newest events")
    func eventQueue() {
        var queues = EventQueues()
        let id = ClientID()
        for number in 0..<100 { queues.raise(EventMessage(sink: "S", name: "\(number)"), for: [id]) }
        let reply = queues.take(PollRequest(clientID: id, eventLimit: .max))
        #expect(reply.events.map(\.name) == (36..<100).map(String.init))
        queues.raise(EventMessage(sink: "S", name: "x"), for: [id])
        queues.keep([])
        let none = queues.take(PollRequest(clientID: id, eventLimit: 1))
        #expect(none == PollReply(events: []))
    }

    @Test("a refused login ends the client's session")
    func refusal() async throws {
        try await withServer { channel, _ async throws in
            let id = ClientID()
            #expect(try await logIn(id, over: channel))
            #expect(try await !logIn(id, over: channel, password: "wrong"))
            await #expect(throws: RemotingError.exception(.sessionNotFound)) {
                try await DataService(channel: channel).schema(clientID: id, deadline: deadline)
            }
        }
    }

    private var login: SessionLogin { SessionLogin(account: .everything, domain: "", schema: "") }

    @Test("a session expires after its timeout, and each call extends it")
    func expiry() async throws {
        let start = NIODeadline.now()
        var table = SessionTable(timeout: .milliseconds(100))
        let id = ClientID()
        table.begin(id, as: login, now: start)
        let answers = [90, 180, 280].map { table.use(id, now: start + .milliseconds($0)) != nil }
        #expect(answers == [true, true, false])
        #expect(table.count == 0)
        try await withServer({ $0.sessionTimeout = .nanoseconds(1) }) { channel, _ async throws in
            #expect(try await logIn(id, over: channel))
            await #expect(throws: RemotingError.exception(.sessionNotFound)) {
                try await DataService(channel: channel).schema(clientID: id, deadline: deadline)
            }
        }
    }

    @Test("the session table does not grow beyond its capacity")
    func capacity() {
        let start = NIODeadline.now()
        var table = SessionTable(timeout: .seconds(100))
        let first = ClientID()
        table.begin(first, as: login, now: start)
        for second in 1...SessionTable.capacity {
            table.begin(ClientID(), as: login, now: start + .microseconds(Int64(second)))
        }
        #expect(table.count == SessionTable.capacity)
        let kept = table.use(first, now: start + .seconds(1))
        #expect(kept == nil)
    }

    @Test("the open service requires no login, and unknown calls are exceptions")
    func openService() async throws {
        try await withServer { channel, _ async throws in
            let schema = try await DataService(channel: channel, name: "DASampleService").schema(
                clientID: ClientID(),
                deadline: deadline
            )
            #expect(schema.contains("<Name>Simple</Name>"))
            let unknown = RemotingException(className: "Exception", message: "unknown service or method")
            await #expect(throws: RemotingError.exception(unknown)) {
                try await DataService(channel: channel, name: "Other").schema(clientID: ClientID(), deadline: deadline)
            }
        }
    }

    @Test("replies of at least 4,096 bytes are compressed, smaller ones are not")
    func compression() async throws {
        let tables = (0..<40).map { index in
            ServedTable("T\(index)", [ServedField("A&B<>", .integer, isInPrimaryKey: true)])
        }
        let served = ServedSchema(name: "x", source: .sample(.simple), tables: tables)
        let schema = SchemaText.schema(served, isComplete: true)
        #expect(schema.contains("A&amp;B&lt;&gt;"))
        let server = try await RemotingServer.listen(
            on: [SocketAddress(ipAddress: "127.0.0.1", port: 0)],
            loop: loop,
            dispatcher: Echo()
        )
        let address = try #require(server.addresses.first)
        let target = try RemotingTarget(address: address, hostHeader: "localhost", path: "/BIN?1234", security: .plain)
        let channel = try RemotingChannel(target: target, loop: loop)
        for text in ["short", schema] {
            let request = SchemaRequest.encode(filter: text, clientID: ClientID())
            let reply = try await channel.post(request, deadline: deadline)
            let isCompressed = text == schema
            var start = reply
            #expect(try MessageHeader(from: &start).isCompressed == isCompressed)
            #expect((reply.readableBytes < text.utf8.count) == isCompressed)
            #expect(try DataService.schema(in: reply) == text)
        }
        await server.stop()
    }

    @Test("calls are logged by name, without secrets; logins can be refused and replies delayed")
    func faults() async throws {
        var log = ""
        try await withServer({ options in
            options.refusesLogins = true
            options.delay = .milliseconds(30)
            log = options.dataDirectory + "-requests"
            options.requestLog = log
        }) { channel, _ async throws in
            let start = ContinuousClock.now
            #expect(try await !logIn(ClientID(), over: channel))
            #expect(ContinuousClock.now - start >= .milliseconds(30))
            _ = try? await DataService(channel: channel, name: "a\nb").schema(clientID: ClientID(), deadline: deadline)
            #expect(try String(contentsOfFile: log, encoding: .utf8) == "LoginService.LoginEx\na?b.GetSchema\n")
        }
    }

    @Test("an unusable database is an error")
    func database() async throws {
        await #expect(throws: SampleServerError.self) {
            try await withServer({ $0.dataDirectory = "/dev/null/x" }) { _, _ in }
        }
    }
}

/// The data service, as a client calls it.
private struct DataService {
    let channel: RemotingChannel
    var name = SchemaRequest.defaultService

    func schema(clientID: ClientID, deadline: Duration) async throws -> String {
        let request = SchemaRequest.encode(service: name, clientID: clientID)
        return try Self.schema(in: try await channel.post(request, deadline: deadline))
    }

    static func schema(in reply: ByteBuffer) throws -> String {
        var values = try ReplyMessage.values(of: reply, to: SchemaRequest.method, limits: .standard)
        return try values.readText()
    }
}

/// The calls of a login service that tell the database connections a login can name.
private struct ConnectionQueries {
    let channel: RemotingChannel
    let service: String

    func names(_ deadline: Duration) async throws -> RemotingValue? {
        try await result(of: ServiceCatalog.connectionNames, deadline)
    }

    func defaultName(_ deadline: Duration) async throws -> RemotingValue? {
        try await result(of: ServiceCatalog.defaultConnectionName, deadline)
    }

    private func result(of method: MethodSignature, _ deadline: Duration) async throws -> RemotingValue? {
        let reply = try await channel.post(method.request(service: service, clientID: ClientID()), deadline: deadline)
        return try method.results(of: reply, limits: .standard).first
    }
}

/// Returns the filter as the schema.
private struct Echo: RemotingDispatcher {
    func reply(to call: ServerCall) async throws -> [NamedValue] {
        [.init("Result", try call.parameters([.init("aFilter", .utf8String)])[0])]
    }
}
