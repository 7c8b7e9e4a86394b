// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataAbstract
import EventLoops
import Glibc
import JSON
import Logging
import NIOCore
import NIOPosix
import Platform
import SampleServer

/// A Relativity-compatible server for trying out relativityd and for its tests.
@main
struct RelativitySampleServer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relativity-sample-server",
        abstract: "A small Relativity-compatible server with a database of its own.",
        discussion: """
            Without arguments it listens on 127.0.0.1:7099. Domain DASamples, schemas Simple and PCTrade; domain \
            PCTrade Sample, schema PCTrade. Log in as Data/Relativity, or as simple/simple for the schema Simple. The \
            passwords are public, so do not serve data that must be protected.
            """,
        version: "relativity-sample-server \(ProjectVersion.text)"
    )

    static func main() {
        StandardDescriptors.ensureOpen()
        ProgramArguments.requireReadable()
        let contents = ProgramContents("relativity-sample-server", [.nio, .nioSSL, .log, .argumentParser, .toml])
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let text = contents.answer(to: arguments) { return print(text, terminator: "") }
        main(nil)
    }

    @Option(help: ArgumentHelp("The port; 0 takes any (default: 7099, with --custom 8099).", valueName: "number"))
    var port: UInt16?

    @Option(help: ArgumentHelp("An address to listen on; may be given more than once.", valueName: "address"))
    var listen: [String] = []

    @Flag(help: "Listen on all interfaces and announce the service on the link.")
    var lan = false

    @Option(help: ArgumentHelp("The announced name (default: sample server on HOST).", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "Where the database lives (default: $XDG_DATA_HOME/relativity-sample-server).",
            valueName: "directory"
        )
    )
    var dataDir: String?

    @Option(help: ArgumentHelp("Serve every table of an SQLite file instead of the samples.", valueName: "file"))
    var database: String?

    @Option(help: ArgumentHelp("Serve the domains, schemas and accounts of a TOML file.", valueName: "file"))
    var catalog: String?

    @Flag(help: "Serve copies of database files, made in the data directory at each start. The files are not changed.")
    var copy = false

    @Option(
        help: ArgumentHelp(
            "Serve the tables of a schema, such as a .daSchema file; with --database its rows, otherwise none.",
            valueName: "file"
        )
    )
    var schema: String?

    @Option(help: ArgumentHelp("The form of the services' description (RODL) that a GET returns.", valueName: "form"))
    var rodl: DescriptionForm = .xml

    @Flag(help: "Imitate the vendor's DASampleServer: port 8099, DASampleService with Workers, no login.")
    var custom = false

    @Option(help: ArgumentHelp("Add rows to the large sample tables until they have this many.", valueName: "number"))
    var rows: Int = 0

    @Option(name: .customLong("as"), help: ArgumentHelp("The kind of server to imitate.", valueName: "kind"))
    var kind: ServerKind = .relativity

    @Option(help: ArgumentHelp("Keep the other changes if one fails (each), or none (all).", valueName: "rule"))
    var updates: UpdateRule = .each

    @Option(help: ArgumentHelp("Find the row of a change by its key, or by all old values.", valueName: "key|all"))
    var findRows: RowSearch = .key

    @Option(help: ArgumentHelp("How texts are compared.", valueName: "rule"))
    var collation: ServerCollation = .binary

    @Flag(help: "Take the UserFilter of a table request: a condition in the SQL of the database.")
    var allowUserFilter = false

    @Option(
        help: ArgumentHelp(
            "Compress replies of 4,096 bytes and more: 1 is the fastest, 9 the smallest; 0 compresses none.",
            valueName: "level"
        )
    )
    var compression: Int = 6

    @Option(help: ArgumentHelp("How long an unused session lives; fractions are fine.", valueName: "seconds"))
    var sessionTimeout: Double = 600

    @Flag(help: "Refuse every login.")
    var refuseLogins = false

    @Flag(help: "Take any password of an account that exists.")
    var anyPassword = false

    @Flag(help: "Write the accepted logins, with their passwords, to logins.json in the data directory.")
    var writeLogins = false

    @Option(help: ArgumentHelp("Append Service.Method of each call to a file.", valueName: "file"))
    var logRequests: String?

    @Option(help: ArgumentHelp("Hold back every reply.", valueName: "milliseconds"))
    var delay: UInt32 = 0

    func validate() throws {
        guard sessionTimeout > 0, sessionTimeout <= 31_536_000 else {
            throw ValidationError("the session timeout must be above 0 and at most a year")
        }
        guard name.map({ (1...63).contains($0.utf8.count) }) ?? true else {
            throw ValidationError("a name has 1 to 63 bytes")
        }
        guard schema == nil || catalog == nil && !custom else {
            throw ValidationError("--schema cannot be used with --catalog or --custom")
        }
        guard [database != nil, catalog != nil, custom].count(where: { $0 }) <= 1 else {
            throw ValidationError("only one of --database, --catalog and --custom is possible")
        }
        guard (0...9).contains(compression) else { throw ValidationError("the compression must be from 0 to 9") }
        guard (0...Self.mostRows).contains(rows) else {
            throw ValidationError("the number of rows must be from 0 to \(Self.mostRows)")
        }
    }

    func run() throws {
        let signals = AwaitedSignals()
        let options = try sampleOptions()
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        if writeLogins { try Self.write(options.catalog.logins, in: options.dataDirectory) }
        let process = try SampleProcess(options: options, logger: Logger(label: "relativity-sample-server"))
        for address in process.addresses {
            print("listening on \(Self.text(of: address)) /bin")
        }
        print("database \(options.databasePath)")
        if let name = options.publishedName { print("announcing '\(name)'") }
        for domain in options.catalog.domains {
            print("domain '\(domain.name)': \(domain.schemas.map(\.name).joined(separator: ", "))")
        }
        // Flushes all streams, because `stdout` itself is a global variable of C.
        fflush(nil)
        signals.wait()
        process.stop()
    }

    private static let mostRows = 100_000_000
    private static let mostSchemaBytes = 16 << 20

    private func servedCatalog() throws -> ServedCatalog {
        if custom { return .custom }
        if let schema {
            guard let text = TextFile.bytes(schema, maximumBytes: Self.mostSchemaBytes) else {
                throw ValidationError("cannot read '\(schema)'")
            }
            do {
                return ServedCatalog(schema: try DataSchema(file: text), path: schema, database: database)
            } catch {
                throw ValidationError("'\(schema)': \(error)")
            }
        }
        if let database { return ServedCatalog(databaseFile: database) }
        guard let catalog else { return .builtIn }
        guard let text = TextFile.read(catalog, maximumBytes: 1 << 20) else {
            throw ValidationError("cannot read '\(catalog)'")
        }
        do {
            return try CatalogFile.parse(text, folder: UserPath.folder(of: catalog))
        } catch {
            throw ValidationError("'\(catalog)': \(error)")
        }
    }

    private func sampleOptions() throws -> SampleOptions {
        let defaults = lan ? [Self.everyAddress()] : ["127.0.0.1"]
        let addresses = try (listen.isEmpty ? defaults : listen).map { text in
            do {
                return try SocketAddress(ipAddress: text, port: Int(port ?? (custom ? 8099 : 7099)))
            } catch {
                throw ValidationError("'\(text)' is no IP address")
            }
        }
        var options = SampleOptions(
            addresses: addresses,
            dataDirectory: try dataDir ?? Directories(.ofProcess()).sampleServer,
            requestLog: logRequests
        )
        options.sessionTimeout = .seconds(sessionTimeout)
        options.refusesLogins = refuseLogins
        options.acceptsAnyPassword = anyPassword
        options.delay = .milliseconds(Int64(delay))
        options.publishedName = lan ? name ?? "sample server on \(Self.hostName())" : nil
        options.catalog = try servedCatalog()
        options.kind = kind
        options.collation = collation
        options.updates = updates
        options.rowSearch = findRows
        options.load = rows
        options.copiesFiles = copy
        options.allowsUserFilter = allowUserFilter
        options.descriptionForm = rodl
        if compression == 0 { options.compressingFrom = nil } else { options.compressionLevel = compression }
        return options
    }

    /// Writes logins for programs that prepare a test: an array of objects with `user`, `password`, `domain` and
    /// `schema`.
    private static func write(_ logins: [ServedLogin], in directory: String) throws {
        let objects: [JSONValue] = logins.map { login in
            [
                "user": .string(login.user), "password": .string(login.password), "domain": .string(login.domain),
                "schema": .string(login.schema),
            ]
        }
        let directory = try ProtectedDirectory(directory, creating: true)
        try AtomicFile.write(JSONValue.array(objects).serialized(), to: "logins.json", in: directory)
    }

    /// One socket for IPv4 and IPv6, if this machine supports IPv6.
    private static func everyAddress() -> String {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return "0.0.0.0" }
        close(descriptor)
        return "::"
    }

    private static func text(of address: SocketAddress) -> String {
        let host = address.ipAddress ?? ""
        return "\(host.contains(":") ? "[\(host)]" : host):\(address.port ?? 0)"
    }

    /// The host name without its domain, short enough for a DNS-SD name.
    private static func hostName() -> String {
        var buffer = [CChar](repeating: 0, count: 65)
        gethostname(&buffer, 64)
        let name = buffer.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 && $0 != UInt8(ascii: ".") }
        return String(decoding: name.prefix(40), as: UTF8.self)
    }
}

extension ServerKind: ExpressibleByArgument {}
extension ServerCollation: ExpressibleByArgument {}
extension UpdateRule: ExpressibleByArgument {}
extension RowSearch: ExpressibleByArgument {}
extension DescriptionForm: ExpressibleByArgument {}

/// The running server with its event loop and its SQLite thread, for use from the main thread, which only waits.
struct SampleProcess {
    private static let longestStop = TimeAmount.milliseconds(800)

    private let loop: any EventLoop
    private let server: RunningSampleServer

    /// Starts everything.
    ///
    /// - Throws: `SampleServerError`, or a `DiscoveryError` if Avahi's thread cannot start.
    init(options: SampleOptions, logger: Logger) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        let loop = group.next()
        self.loop = loop
        server = try Self.wait(on: loop) {
            try await RunningSampleServer.start(options, loop: loop, pool: pool, logger: logger)
        }
    }

    var addresses: [SocketAddress] { server.addresses }

    /// Stops the server. Returns after at most 0.8 s, because the process exits next.
    func stop() {
        let stopped = loop.makePromise(of: Void.self)
        loop.scheduleTask(in: Self.longestStop) { stopped.succeed() }
        let server = server
        Self.run(on: loop, stopped) { await server.stop() }
        try? stopped.futureResult.wait()
    }

    private static func wait<Result: Sendable>(
        on loop: any EventLoop,
        _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let promise = loop.makePromise(of: Result.self)
        run(on: loop, promise, body)
        return try promise.futureResult.wait()
    }

    /// The only place where the main thread starts async code. The task ends by completing the promise.
    private static func run<Result: Sendable>(
        on loop: any EventLoop,
        _ promise: EventLoopPromise<Result>,
        _ body: @escaping @Sendable () async throws -> Result
    ) {
        Task(executorPreference: LoopExecutor(loop)) {
            do {
                promise.succeed(try await body())
            } catch {
                promise.fail(error)
            }
        }
    }
}

/// SIGTERM and SIGINT, blocked for `wait`. Must be created before any other thread, which then inherits the signal
/// mask.
struct AwaitedSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for one of the signals. Returns immediately if it arrived before the call.
    func wait() {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
    }
}
