// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import EventLoops
import Logging
import NIOCore
import NIOPosix
import Platform
import Remoting
import Synchronization

/// Answers LoginEx, Logout and GetSchema as a Relativity server does, as far as that is known (docs/wire.md).
final class SampleDispatcher: RemotingDispatcher {
    private let options: SampleOptions
    private let database: SampleDatabase
    private let loop: any EventLoop
    private let pool: NIOThreadPool
    private let log: RequestLog?
    private let logger: Logger
    private let sessions: Mutex<SessionTable>

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
        sessions = Mutex(SessionTable(timeout: options.sessionTimeout))
    }

    func reply(to call: RequestMessage) async throws -> BinMessageWriter {
        log?.add(call)
        if options.delay > .zero { try await loop.sleep(for: options.delay) }
        switch (call.service.lowercased(), call.method.lowercased()) {
        case ("loginservice", "loginex"): return try logIn(call)
        case ("loginservice", "logout"): return logOut(call)
        case ("dataservice", "getschema"), ("dataservice.simple", "getschema"):
            guard sessions.withLock({ $0.use(call.clientID, now: .now()) }) else {
                throw RemotingException.sessionNotFound
            }
            return try await schema(call)
        case ("dasampleservice", "getschema"): return try await schema(call)
        default:
            throw RemotingException(className: "Exception", message: "unknown service or method")
        }
    }

    private func logIn(_ call: RequestMessage) throws -> BinMessageWriter {
        var parameters = call.parameters
        let login = try? LoginStringParser.parse(try parameters.readAnsi().bytes)
        let isAccepted = login.map(accepts) ?? false
        if isAccepted {
            sessions.withLock { $0.begin(call.clientID, now: .now()) }
        } else {
            sessions.withLock { $0.end(call.clientID) }
        }
        logger.notice(
            isAccepted ? "login accepted" : "login refused",
            metadata: [
                "login.user": "\(Printable(login?.user ?? "", columns: 64))",
                "login.domain": "\(Printable(login?.domain ?? "", columns: 64))",
                "login.schema": "\(Printable(login?.schema ?? "", columns: 64))",
            ]
        )
        var result = BinMessageWriter()
        result.write(isAccepted)
        return result
    }

    private func accepts(_ login: LoginStringParser.Fields) -> Bool {
        guard !options.refusesLogins, let user = login.user, let password = login.password,
            let expected = SampleCatalog.accounts[user]
        else { return false }
        return (options.acceptsAnyPassword || password.elementsEqual(expected.utf8))
            && login.domain?.lowercased() == SampleCatalog.domain.lowercased()
            && ["", SampleCatalog.schema.lowercased()].contains(login.schema?.lowercased() ?? "")
    }

    private func logOut(_ call: RequestMessage) -> BinMessageWriter {
        sessions.withLock { $0.end(call.clientID) }
        return BinMessageWriter()
    }

    /// What a filter means to real servers is not known; here every table is shown whatever it says.
    private func schema(_ call: RequestMessage) async throws -> BinMessageWriter {
        var parameters = call.parameters
        _ = try parameters.readText()
        let tables = try await pool.perform { [database] in try database.tables() }
        var result = BinMessageWriter()
        result.write(utf8: SchemaText.write(tables, named: SampleCatalog.schema))
        return result
    }
}
