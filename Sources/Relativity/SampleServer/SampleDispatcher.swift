// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import EventLoops
import Glibc
import Locks
import Logging
import NIOCore
import NIOPosix
import Platform
import Remoting

/// Answers logins, GetSchema and polls like a Relativity server, as far as its behaviour is known (docs/wire.md).
final class SampleDispatcher: RemotingDispatcher {
    private let options: SampleOptions
    private let database: SampleDatabase
    private let loop: any EventLoop
    private let pool: NIOThreadPool
    private let log: RequestLog?
    private let logger: Logger
    private let sessions: Lock<SessionTable>
    private let events = Lock(EventQueues())

    init(
        options: SampleOptions,
        database: SampleDatabase,
        loop: any EventLoop,
        pool: NIOThreadPool,
        logger: Logger
    ) throws(SampleServerError) {
        self.options = options
        self.database = database
        self.loop = loop
        self.pool = pool
        self.logger = logger
        log = if let path = options.requestLog { try RequestLog(path: path) } else { nil }
        sessions = Lock(SessionTable(timeout: options.sessionTimeout))
    }

    var sessionCount: Int { sessions.withLock(\.count) }

    func reply(to call: ServerCall) async throws -> [NamedValue] {
        log?.add(call)
        if options.delay > .zero { try await loop.sleep(for: options.delay) }
        let (service, method) = (call.service.lowercased(), call.method.lowercased())
        if SampleCatalog.loginMethods[service]?.contains(method) == true { return try logInOrOut(call, method) }
        switch (service, method) {
        case ("dataservice", "getschema"), ("dataservice.simple", "getschema"):
            try checkSession(call.clientID)
            return try await schema(call)
        case ("dasampleservice", "getschema"): return try await schema(call)
        case ("dasampleservice", "announce"):
            try checkSession(call.clientID)
            return try announce(call)
        default:
            throw RemotingException(className: "Exception", message: "unknown service or method")
        }
    }

    func events(for poll: PollRequest) async throws -> PollReply {
        if options.delay > .zero { try await loop.sleep(for: options.delay) }
        try checkSession(poll.clientID)
        return events.withLock { $0.take(poll) }
    }

    func parameters(of event: EventMessage) -> [NamedType]? {
        event.sink == SampleEvents.sink && event.name == SampleEvents.announced ? SampleEvents.parameters : nil
    }

    private func logInOrOut(_ call: ServerCall, _ method: String) throws -> [NamedValue] {
        switch method {
        case "loginex": return try logInByString(call)
        case "login": return try logIn(call)
        case "getconnectionnames": return [.init("Result", .array([.utf8String(SampleCatalog.connection)]))]
        case "getdefaultconnectionname": return [.init("Result", .utf8String(SampleCatalog.connection))]
        default:
            sessions.withLock { $0.end(call.clientID) }
            return []
        }
    }

    private func checkSession(_ client: ClientID) throws(RemotingException) {
        guard sessions.withLock({ $0.use(client, now: .now()) }) else { throw .sessionNotFound }
    }

    private func announce(_ call: ServerCall) throws -> [NamedValue] {
        guard case .utf8String(let text) = try call.parameters(SampleEvents.parameters).first,
            text.utf8.count <= SampleEvents.textLimit
        else { throw RemotingException(className: "Exception", message: "the text is too long") }
        let event = EventMessage(
            sink: SampleEvents.sink,
            name: SampleEvents.announced,
            [NamedValue("aText", .utf8String(text))]
        )
        let clients = sessions.withLock(\.clients)
        events.withLock { queues in
            queues.keep(clients)
            queues.raise(event, for: clients)
        }
        return []
    }

    private func logInByString(_ call: ServerCall) throws -> [NamedValue] {
        guard case .utf8String(let text) = try call.parameters(ServiceCatalog.loginEx.parameters).first else {
            return []
        }
        let login = try? LoginStringParser.parse(text.utf8)
        return [.init("Result", .boolean(begin(call.clientID, login, isAccepted: login.map(accepts) ?? false)))]
    }

    /// Logs in with user, password and, if the method has one, a connection. These methods have no domain.
    private func logIn(_ call: ServerCall) throws -> [NamedValue] {
        let values =
            try (try? call.parameters(ServiceCatalog.multiDbLogin.parameters))
            ?? call.parameters(ServiceCatalog.simpleLogin.parameters)
        let texts = values.map { value in
            if case .utf8String(let text) = value { text } else { "" }
        }
        let login = LoginStringParser.Fields(
            user: texts.first,
            domain: SampleCatalog.domain,
            password: texts.dropFirst().first.map { Array($0.utf8) }
        )
        let names = SampleCatalog.connection.lowercased()
        let isConnection = texts.dropFirst(2).allSatisfy { ["", names].contains($0.lowercased()) }
        let isAccepted = begin(call.clientID, login, isAccepted: accepts(login) && isConnection)
        let user = RemotingStruct(
            "UserInfo",
            [
                .init("Attributes", .array([])), .init("Privileges", .array([])),
                .init("SessionID", .utf8String(call.clientID.revealedText())), .init("UserData", .binary(ByteBuffer())),
                .init("UserID", .utf8String(isAccepted ? login.user ?? "" : "")),
            ]
        )
        return [.init("Result", .boolean(isAccepted)), .init("aUserInfo", .structure(user))]
    }

    private func begin(_ client: ClientID, _ login: LoginStringParser.Fields?, isAccepted: Bool) -> Bool {
        if isAccepted {
            sessions.withLock { $0.begin(client, now: .now()) }
        } else {
            sessions.withLock { $0.end(client) }
        }
        logger.notice(
            isAccepted ? "login accepted" : "login refused",
            metadata: [
                "login.user": "\(Printable(login?.user ?? "", columns: 64))",
                "login.domain": "\(Printable(login?.domain ?? "", columns: 64))",
                "login.schema": "\(Printable(login?.schema ?? "", columns: 64))",
            ]
        )
        return isAccepted
    }

    private func accepts(_ login: LoginStringParser.Fields) -> Bool {
        guard !options.refusesLogins, let user = login.user, let password = login.password,
            let expected = SampleCatalog.accounts[user]
        else { return false }
        return (options.acceptsAnyPassword || password.elementsEqual(expected.utf8))
            && login.domain?.lowercased() == SampleCatalog.domain.lowercased()
            && ["", SampleCatalog.schema.lowercased()].contains(login.schema?.lowercased() ?? "")
    }

    /// Returns all tables, whatever the filter, because its meaning to real servers is not known.
    private func schema(_ call: ServerCall) async throws -> [NamedValue] {
        _ = try call.parameters(ServiceCatalog.schema.parameters)
        let tables = try await pool.perform { [database] in try database.tables() }
        return [.init("Result", .utf8String(SchemaText.write(tables, named: SampleCatalog.schema)))]
    }
}

/// The sessions with their expiry times. Every call of a session extends it.
struct SessionTable {
    /// The maximum number of sessions. A new session then evicts the one that would expire first.
    static let capacity = 10_000

    private let timeout: TimeAmount
    private var ends: [ClientID: NIODeadline] = [:]

    init(timeout: Duration) {
        self.timeout = TimeAmount(timeout)
    }

    var count: Int { ends.count }

    var clients: Set<ClientID> { Set(ends.keys) }

    mutating func begin(_ client: ClientID, now: NIODeadline) {
        ends = ends.filter { $0.value > now }
        if ends.count >= Self.capacity, let first = ends.min(by: { $0.value < $1.value }) { ends[first.key] = nil }
        ends[client] = now + timeout
    }

    /// Extends a session. Returns false if the client has no session or it has expired.
    mutating func use(_ client: ClientID, now: NIODeadline) -> Bool {
        guard let end = ends[client], end > now else {
            ends[client] = nil
            return false
        }
        ends[client] = now + timeout
        return true
    }

    mutating func end(_ client: ClientID) {
        ends[client] = nil
    }
}

/// The queued events of each client, oldest first.
struct EventQueues {
    /// The maximum number of events for one client. A new event then evicts the oldest.
    static let capacity = 64
    /// The maximum number of bytes of the events in one reply.
    static let replyBytes = 1 << 20

    private var waiting: [ClientID: [EventMessage]] = [:]

    /// Queues an event for each of the clients.
    mutating func raise(_ event: EventMessage, for clients: some Sequence<ClientID>) {
        for client in clients {
            waiting[client, default: []].append(event)
            if waiting[client, default: []].count > Self.capacity { waiting[client]?.removeFirst() }
        }
    }

    /// Removes and returns the events for a poll. The first event is returned whatever its size.
    mutating func take(_ poll: PollRequest) -> PollReply {
        var events: [EventMessage] = []
        var bytes = 0
        for event in (waiting[poll.clientID] ?? []).prefix(Int(poll.eventLimit)) {
            bytes += event.parameters.readableBytes
            guard events.isEmpty || bytes <= Self.replyBytes else { break }
            events.append(event)
        }
        waiting[poll.clientID]?.removeFirst(events.count)
        let left = waiting[poll.clientID]?.count ?? 0
        if left == 0 { waiting[poll.clientID] = nil }
        return PollReply(events: events, left: Int32(clamping: left))
    }

    /// Discards the events of clients that have no session.
    mutating func keep(_ clients: Set<ClientID>) {
        waiting = waiting.filter { clients.contains($0.key) }
    }
}

/// The only event of the sample server. Any client that is logged in can raise it: `DASampleService.Announce` sends
/// its text to every session.
enum SampleEvents {
    static let sink = "SampleEvents"
    static let announced = "Announced"
    /// The maximum number of bytes of a text.
    static let textLimit = 4096
    static let parameters = [NamedType("aText", .utf8String)]
}

/// A file with one line for each call, for tests that count calls.
final class RequestLog: Sendable {
    private let descriptor: Int32

    /// Opens the file for appending, and creates it if necessary.
    init(path: String) throws(SampleServerError) {
        descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", path: path, errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Names come from the client: every character that is not printable ASCII becomes `?`. If the disk is full,
    /// lines are lost and calls still succeed.
    func add(_ call: ServerCall) {
        let line = "\(call.service).\(call.method)".unicodeScalars.map {
            (0x21...0x7E).contains($0.value) ? UInt8($0.value) : UInt8(ascii: "?")
        }
        _ = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
