// SPDX-License-Identifier: Apache-2.0

import EventLoops
public import NIOCore
import NIOPosix
package import Remoting

/// A client of a data service, over the Unix socket of an adapter (docs/adapter-call.md).
///
/// ```swift
/// let adapter = try RemoteDataAdapter(socketPath: path, service: "DataService.Simple")
/// for try await event in try await adapter.data([TableRequest("Users", rowLimit: 100)]) {
///     if case .rows(let rows) = event {
///         for row in rows { print(row[0], row[1]) }
///     }
/// }
/// ```
///
/// Calls run in parallel, each over a connection of its own. They have no total deadline, but end if no byte arrives
/// within the idle timeout. A cancelled call closes its connection.
///
/// All methods throw `DataAdapterError` and `CancellationError`.
public actor RemoteDataAdapter {
    /// The usual name of the service.
    public static let defaultService = "DataService"

    /// The maximum number of events in the reply to a poll.
    private static let eventLimit: Int32 = 64
    /// The thread of all adapters that were created without a loop.
    private static let sharedGroup = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The name of the data service, such as `DataService` or `DataService.Simple`.
    public nonisolated let service: String
    /// The code page of the server's 8-bit text; nil for Latin-1.
    public nonisolated let codePage: CodePage?
    private nonisolated let loop: any EventLoop
    private let channel: RemotingChannel
    private let clientID: ClientID
    private let idleTimeout: Duration

    /// Creates a client. It connects when it is used.
    ///
    /// - Parameters:
    ///   - socketPath: the path of the adapter's socket.
    ///   - service: the name of the data service.
    ///   - codePage: of the server's 8-bit text; nil for Latin-1.
    ///   - loop: runs the connections; nil for a thread that all such adapters share.
    ///   - idleTimeout: the maximum time without a byte of the reply.
    /// - Throws: `unreachable` if the path is too long.
    public init(
        socketPath: String,
        service: String = RemoteDataAdapter.defaultService,
        codePage: CodePage? = nil,
        loop: (any EventLoop)? = nil,
        idleTimeout: Duration = .seconds(60)
    ) throws {
        guard let address = try? SocketAddress(unixDomainSocketPath: socketPath) else {
            throw DataAdapterError.unreachable(reason: "the path of the socket is too long")
        }
        let target = try RemotingTarget(address: address, hostHeader: "localhost", security: .plain)
        try self.init(
            target: target,
            service: service,
            clientID: ClientID(),
            codePage: codePage,
            loop: loop,
            idleTimeout: idleTimeout
        )
    }

    /// Creates a client of a server.
    ///
    /// - Parameter clientID: the session.
    /// - Throws: a NIOSSL error if the library cannot make a TLS context.
    package init(
        target: RemotingTarget,
        service: String = RemoteDataAdapter.defaultService,
        clientID: ClientID,
        codePage: CodePage? = nil,
        loop: (any EventLoop)? = nil,
        idleTimeout: Duration = .seconds(60)
    ) throws {
        let loop = loop ?? Self.sharedGroup.next()
        var settings = ChannelSettings.standard
        settings.pause = idleTimeout
        settings.readBytes = 64 << 10
        channel = try RemotingChannel(target: target, loop: loop, settings: settings)
        self.loop = loop
        self.service = service
        self.clientID = clientID
        self.codePage = codePage
        self.idleTimeout = idleTimeout
    }

    /// The event loop of the connections.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// Closes all connections. Calls in progress fail, and so do later ones.
    public func close() async { await channel.close() }

    // MARK: Schemas

    /// Returns the schema as XML.
    ///
    /// - Parameter filter: empty for the complete schema. Its meaning depends on the server; Delphi servers ignore it.
    public func schema(filter: String = "") async throws -> String {
        try await text(ServiceCatalog.schema, [.utf8String(filter)])
    }

    /// Returns the schema of some tables as XML.
    public func tableSchema(_ tables: [String]) async throws -> String {
        try await text(ServiceCatalog.tableSchema, [Self.array(tables)])
    }

    /// Returns the schema of some commands as XML.
    public func commandSchema(_ commands: [String]) async throws -> String {
        try await text(ServiceCatalog.commandSchema, [Self.array(commands)])
    }

    /// Requests the server's path with GET, and returns the description of its services. Nothing is sent in the session.
    ///
    /// - Throws: also `ServicePageError` for any other page; `RODLError` for a description that cannot be read.
    package func services() async throws -> RODLFile {
        let page: (status: Int, failure: AdapterFailure?, body: ByteBuffer)
        do {
            page = try await channel.get(deadline: idleTimeout, limit: ServicePage.maximumBytes)
            if let exception = try? ReplyMessage.exception(in: page.body) {
                throw DataAdapterError.exception(ServerException(exception, page.status, page.failure))
            }
        } catch RemotingError.redirected(let status, _) {
            throw ServicePageError.redirect(status)
        } catch RemotingError.tooLarge(let limit) {
            throw ServicePageError.tooLarge(limit)
        } catch {
            throw DataAdapterError.converted(error)
        }
        return try ServicePage.rodl(status: page.status, Array(page.body.readableBytesView))
    }

    /// Requests a path of the server with GET, and returns whether it shows that the server has that interface; nil if it does
    /// not show it. Nothing is sent in the session.
    package func isServed(_ path: ServerPath) async throws -> Bool? {
        do {
            let page = try await channel.get(path.rawValue, deadline: idleTimeout, limit: ServicePage.maximumBytes)
            if let exception = try? ReplyMessage.exception(in: page.body) {
                throw DataAdapterError.exception(ServerException(exception, page.status, page.failure))
            }
            return path.isServed(status: page.status, Array(page.body.readableBytesView))
        } catch RemotingError.redirected {
            return nil
        } catch {
            throw DataAdapterError.converted(error)
        }
    }

    // MARK: Rows

    /// Requests rows of one or more tables. Returns when the reply begins.
    ///
    /// - Parameters:
    ///   - requests: the tables, in the order of the reply.
    ///   - types: the column types of tables that are requested without a schema, by table name, if they are known.
    ///   - limits: limits of the reply.
    /// - Throws: also `WhereError` for a condition that cannot be written.
    public func data(
        _ requests: [TableRequest],
        types: [String: [DataType]] = [:],
        limits: TableLimits = .streaming
    ) async throws -> TableReply {
        let tables = requests.map(\.table)
        let structures = try requests.map { RemotingValue.structure(try $0.structure()) }
        let values = [Self.array(tables), .array(structures)]
        // A statement names its result as it likes.
        let names: [String?] = requests.map { if case .sql = $0.selection { nil } else { $0.table } }
        return try await stream(ServiceCatalog.data, values, tables, names: names, types, limits)
    }

    /// Returns the rows of tables, collected in memory.
    ///
    /// - Throws: also `WhereError` and `TableError`.
    public func tables(_ requests: [TableRequest], limits: TableLimits = .standard) async throws -> [DataTable] {
        try await Self.collect(try await data(requests, limits: limits))
    }

    /// Returns the rows of a table, collected in memory.
    ///
    /// - Throws: also `WhereError` and `TableError`.
    public func table(_ request: TableRequest, limits: TableLimits = .standard) async throws -> DataTable {
        guard let table = try await tables([request], limits: limits).first else {
            throw DataAdapterError.malformed(reason: "a reply without a table")
        }
        return table
    }

    // MARK: Commands

    /// Executes a command of the schema and returns its output parameters.
    public func execute(command: String, parameters: [DataParameter] = []) async throws -> CommandResult {
        let values = [.utf8String(command), DataParameter.array(parameters)]
        let results = try await call(ServiceCatalog.commandEx, values)
        return CommandResult(
            rowCount: Self.number(results[0]),
            outputs: try DataParameter.parameters(results[1])
        )
    }

    /// Applies changes of rows.
    ///
    /// - Returns: the changes with their status. A change that is missing was accepted.
    /// - Throws: also `TableError`; `malformed` for a reply with changes of which none was sent.
    public func update(_ deltas: DeltaStream) async throws -> DeltaStream {
        // Calls have different record IDs, so that the reply to an earlier one is recognised.
        let shift = Int32.random(in: 0..<1 << 30)
        var sent = deltas
        sent.shiftRecords(by: shift)
        let results = try await call(ServiceCatalog.update, [.binary(try sent.encoded())])
        guard case .binary(let bytes?) = results[0] else { throw DataAdapterError.malformed(reason: "a null result") }
        var reply = try DeltaStream(decoding: bytes, codePage: codePage)
        guard reply.answers(sent) else { throw DataAdapterError(ReplyMessage.otherCall) }
        reply.shiftRecords(by: 0 &- shift)
        return reply
    }

    // MARK: Events

    /// Asks the server to report changes of a table by `changedTables`. The adapter must have a session of its own, and
    /// not every server reports changes.
    public func registerForChanges(of table: String) async throws {
        _ = try await call(ServiceCatalog.register, [.utf8String(table)])
    }

    /// Ends the reports of changes of a table.
    public func unregisterForChanges(of table: String) async throws {
        _ = try await call(ServiceCatalog.unregister, [.utf8String(table)])
    }

    /// Returns the names of the tables that the server has reported as changed since the last call. Reports that do not
    /// fit into one reply are left for the next call.
    public func changedTables() async throws -> Set<String> {
        let poll = PollRequest(clientID: clientID, eventLimit: Self.eventLimit).encoded()
        let reply = try await begin(poll, isRepeatable: true)
        do {
            let events = try PollReply(decoding: try await Self.whole(reply)).events
            return Set(
                try events.filter { $0.sink == "DataChangeNotification" }.map { event in
                    var parameters = BinMessageReader(event.parameters)
                    return try parameters.readText()
                }
            )
        } catch {
            throw DataAdapterError.converted(error, in: reply)
        }
    }

    // MARK: Calls

    /// Calls any method of any service.
    ///
    /// - Parameters:
    ///   - values: one for each parameter.
    ///   - service: nil for the data service.
    ///   - structs: the structs of the results.
    /// - Returns: one value for each result of the signature.
    package func call(
        _ method: MethodSignature,
        _ values: [RemotingValue] = [],
        service: String? = nil,
        structs: StructCatalog = ServiceCatalog.structs
    ) async throws -> [RemotingValue] {
        let request = method.request(values, service: service ?? self.service, clientID: clientID)
        let reply = try await begin(request, isRepeatable: ServiceCatalog.repeatable.contains(method))
        do {
            return try await Self.results(of: reply, to: method, structs)
        } catch {
            if case RemotingError.malformed = error { reply.reject() }
            throw DataAdapterError.converted(error, in: reply)
        }
    }

    private static func results(
        of reply: ArrivingReply,
        to method: MethodSignature,
        _ structs: StructCatalog = ServiceCatalog.structs
    ) async throws -> [RemotingValue] {
        let bytes = try await whole(reply)
        do {
            return try method.results(of: bytes, structs)
        } catch RemotingError.exception(let exception) {
            throw DataAdapterError.exception(
                ServerException(exception, reply.status, reply.failure, stackTrace: ReplyMessage.stackTrace(in: bytes))
            )
        }
    }

    private func begin(_ request: ByteBuffer, isRepeatable: Bool) async throws -> ArrivingReply {
        do {
            // A few bytes suffice. The reply may be slow, and the timeout is for its pauses.
            return try await channel.begin(
                request,
                as: nil,
                firstBytes: 0,
                deadline: idleTimeout,
                isRepeatable: isRepeatable
            )
        } catch {
            throw DataAdapterError.converted(error)
        }
    }

    /// The idle timeout bounds the pauses. The deadline is only a formality.
    private static func whole(_ reply: ArrivingReply) async throws -> ByteBuffer {
        try await reply.collect(atMost: WireLimits.standard.message, before: .now() + .hours(24 * 365))
    }

    private func stream(
        _ method: MethodSignature,
        _ values: [RemotingValue],
        _ tables: [String],
        names: [String?] = [],
        _ types: [String: [DataType]],
        _ limits: TableLimits
    ) async throws -> TableReply {
        let reply = try await begin(
            method.request(values, service: service, clientID: clientID),
            isRepeatable: ServiceCatalog.repeatable.contains(method)
        )
        do {
            guard reply.header.kind == .message else {
                _ = try await Self.results(of: reply, to: method)
                throw RemotingError.malformed(reason: "not a reply to a call")
            }
            return TableReply(
                reader: try ReplyReader(
                    reply,
                    to: method.name,
                    tables: tables,
                    names: names,
                    types: types,
                    limits: limits,
                    codePage: codePage,
                    on: loop
                )
            )
        } catch {
            reply.abandon()
            throw DataAdapterError.converted(error, in: reply)
        }
    }

    private static func collect(_ reply: TableReply) async throws -> [DataTable] {
        var tables: [DataTable] = []
        for try await event in reply {
            switch event {
            case .table(let head): tables.append(DataTable(head))
            case .rows(let rows): try tables[tables.count - 1].append(rows)
            }
        }
        return tables
    }

    private func text(_ method: MethodSignature, _ values: [RemotingValue]) async throws -> String {
        guard case .utf8String(let text) = try await call(method, values)[0] else {
            throw DataAdapterError.malformed(reason: "a result that is not text")
        }
        return text
    }

    private static func array(_ texts: [String]) -> RemotingValue { .array(texts.map { .utf8String($0) }) }

    private static func number(_ value: RemotingValue) -> Int {
        if case .integer(let number) = value { Int(number) } else { 0 }
    }
}

/// The result of a command.
public struct CommandResult: Hashable, Sendable {
    /// The number of the server's driver, usually of affected rows.
    public let rowCount: Int
    /// The values of all parameters that are not input only.
    public let outputs: [DataParameter]
}
