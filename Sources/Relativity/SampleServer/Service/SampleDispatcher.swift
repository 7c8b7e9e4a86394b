// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import EventLoops
import Locks
import Logging
import NIOCore
import NIOPosix
import Platform
import Remoting

/// Answers the calls of clients like a Relativity server, as far as its behaviour is known (docs/wire.md).
final class SampleDispatcher: RemotingDispatcher {
    private static let dataService = "dataservice"

    private let options: SampleOptions
    private let logins: LoginCalls
    private let data: DataCalls
    private let loop: any EventLoop
    private let log: RequestLog?
    private let logger: Logger
    private let sessions: Lock<SessionTable>
    private let events = Lock(EventQueues())

    init(
        options: SampleOptions,
        schemas: OpenSchemas,
        loop: any EventLoop,
        pool: NIOThreadPool,
        logger: Logger
    ) throws(SampleServerError) {
        self.options = options
        self.loop = loop
        self.logger = logger
        logins = LoginCalls(options: options)
        data = DataCalls(schemas: schemas, options: options, pool: pool)
        log = if let path = options.requestLog { try RequestLog(path: path) } else { nil }
        sessions = Lock(SessionTable(timeout: options.sessionTimeout))
        let (text, contentType) = ServiceDescription(of: options.catalog).text(in: options.descriptionForm)
        page = ServedPage(body: ByteBuffer(string: text), contentType: contentType)
    }

    /// The description of the services, as it is written once.
    let page: ServedPage?

    var sessionCount: Int { sessions.withLock(\.count) }

    func reply(to call: ServerCall) async throws -> [NamedValue] {
        log?.add(call)
        try await delayReply()
        let (service, method) = (call.service.lowercased(), call.method.lowercased())
        if LoginCalls.methods[service]?.contains(method) == true { return try logInOrOut(call, method) }
        if service == options.catalog.openService?.name.lowercased(), method == "announce" {
            _ = try login(of: call.clientID)
            return try announce(call)
        }
        guard DataCalls.methods.contains(method), let access = try access(to: service, call.clientID) else {
            throw RemotingException(className: "Exception", message: "unknown service or method")
        }
        if method == DataCalls.register || method == DataCalls.unregister { _ = try login(of: call.clientID) }
        let reply = try await data.reply(to: call, method, access)
        if let table = reply.table {
            let name = TableName(table, schema: access.schema, domain: access.domain)
            sessions.withLock { sessions in
                sessions.changeNotifications(of: call.clientID) { names in
                    if method == DataCalls.register { names.insert(name) } else { names.remove(name) }
                }
            }
        }
        for change in reply.changes { notify(change) }
        return reply.values
    }

    /// Waits for the time of `--delay`, with which tests try slow servers.
    private func delayReply() async throws {
        if options.delay > .zero { try await loop.sleep(for: options.delay) }
    }

    /// Queues the event of a change for every session that is registered for the table, that of the caller included.
    private func notify(_ change: TableChange) {
        let (clients, registered) = sessions.withLock { ($0.clients, $0.clients(notifiedOf: change.name)) }
        guard !registered.isEmpty else { return }
        events.withLock { queues in
            queues.keep(clients)
            queues.raise(change.event, for: registered)
        }
    }

    /// Returns the schema of a service; nil if there is no such service.
    ///
    /// - Throws: `RemotingException` without a session, or if the account has no right to the schema.
    private func access(to service: String, _ client: ClientID) throws -> SchemaAccess? {
        if let open = options.catalog.openService, service.isSame(as: open.name) {
            return SchemaAccess(domain: open.domain, schema: open.schema, mayWrite: true)
        }
        guard service == Self.dataService || service.hasPrefix(Self.dataService + ".") else { return nil }
        let login = try login(of: client)
        let name = service == Self.dataService ? login.schema : String(service.dropFirst(Self.dataService.count + 1))
        guard let schema = options.catalog.schema(name, of: login.domain) else { return nil }
        guard let right = login.account.right(to: schema.name, of: login.domain) else {
            throw options.kind.exception("the account has no right to the schema '\(schema.name)'")
        }
        return SchemaAccess(
            domain: login.domain,
            schema: schema.name,
            mayWrite: right.mayWrite,
            user: login.account.user
        )
    }

    func events(for poll: PollRequest) async throws -> PollReply {
        try await delayReply()
        _ = try login(of: poll.clientID)
        return events.withLock { $0.take(poll) }
    }

    private func logInOrOut(_ call: ServerCall, _ method: String) throws -> [NamedValue] {
        switch method {
        case "loginex":
            let session = begin(call.clientID, try LoginCalls.loginString(call))
            return [.init("Result", .boolean(session != nil))]
        case "login": return LoginCalls.reply(to: call, user: begin(call.clientID, try logins.plainLogin(call)))
        case "getconnectionnames": return [.init("Result", .array([.utf8String(LoginCalls.connection)]))]
        case "getdefaultconnectionname": return [.init("Result", .utf8String(LoginCalls.connection))]
        default:
            sessions.withLock { $0.end(call.clientID) }
            return []
        }
    }

    /// Extends a session and returns its login.
    private func login(of client: ClientID) throws(RemotingException) -> SessionLogin {
        guard let login = sessions.withLock({ $0.use(client, now: .now()) }) else { throw options.kind.sessionNotFound }
        return login
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

    /// Begins a session, or ends the present one if the login is refused.
    ///
    /// - Returns: the name of the user; nil if the login is refused.
    private func begin(_ client: ClientID, _ fields: LoginStringParser.Fields?) -> String? {
        let login = fields.flatMap(logins.session)
        sessions.withLock { sessions in
            if let login { sessions.begin(client, as: login, now: .now()) } else { sessions.end(client) }
        }
        logger.notice(
            login != nil ? "login accepted" : "login refused",
            metadata: [
                "login.user": "\(Printable(fields?.user ?? "", columns: 64))",
                "login.domain": "\(Printable(fields?.domain ?? "", columns: 64))",
                "login.schema": "\(Printable(fields?.schema ?? "", columns: 64))",
            ]
        )
        return login?.account.user
    }
}
