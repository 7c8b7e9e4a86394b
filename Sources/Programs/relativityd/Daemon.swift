// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Credentials
import Discovery
import Endpoints
import EventLoops
import Glibc
import LocalAPI
import LocalAPIServer
import Locks
import Logging
import NIOCore
import NIOPosix
import Platform
import Prompts
import Registry
import Varlink
import VarlinkService

/// The composition of all modules. It has no logic of its own. The parts that it makes run until `run` is cancelled.
final class Daemon: Sendable {
    private let loop: any EventLoop
    private let runtime: RuntimeDirectory
    private let home: Home
    private let notification: ServiceNotification
    private let logger: Logger
    private let browser: AvahiBrowser
    private let filter = AddressFilter()
    private let sources: ConfiguredSources
    /// The servers that are searched for and connected to.
    private let reach: ServerReach
    private let registry: EndpointRegistry
    private let store: CredentialStore
    private let configuredLogins: ConfiguredLogins
    private let files: AdministratorsFiles
    private let kernelCache: KernelKeyCache?
    private let broker: ConnectionBroker
    private let adapters: [ConfiguredAdapter]
    private let liveness: LivenessMonitor
    private let triggers: LockTriggers
    private let notices: DesktopNotices?
    private let server: LocalAPIServer
    private let notes = StatusNotes()
    private let program = ProgramFile()
    /// The paths of the sockets that this process has made.
    private let ownSockets = Lock<[String]>([])
    /// Requests to read the files again. One reading serves all requests before it.
    private let (rereadings, rereading) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let stopping: EventLoopPromise<Void>

    init(
        configuration loaded: LoadedConfiguration,
        endpoints: AdministratorsFiles.Place,
        reach: ServerReach,
        directories: Directories,
        runtime: RuntimeDirectory,
        home: Home,
        environment: Environment,
        loop: any EventLoop,
        pool: NIOThreadPool,
        lookUps: NIOThreadPool,
        logger: Logger
    ) throws {
        let configuration = loaded.effective.configuration
        self.loop = loop
        self.logger = logger
        self.runtime = runtime
        self.home = home
        self.reach = reach
        notification = ServiceNotification(environment)
        browser = AvahiBrowser(
            types: configuration.serviceTypes,
            limits: DiscoveryLimits(instancesPerType: configuration.maximumEndpoints),
            on: try AvahiLoop()
        )
        let sources = ConfiguredSources(
            configuration,
            environment: environment,
            loop: loop
        )
        self.sources = sources
        registry = EndpointRegistry(
            loop: loop,
            store: EndpointStore(directory: directories.data, pool: pool),
            limits: RegistryLimits(configuration),
            types: ServiceTypeSettings(configuration),
            firstRevision: FirstRevision.at(seconds: UInt64(max(0, time(nil)))),
            expectsSources: reach == .network
        )
        configuredLogins = ConfiguredLogins(environment)
        kernelCache = configuration.cachesInKernel ? KernelKeyCache() : nil
        var vault = VaultOptions(configuration, directories: directories, environment: environment)
        vault.configuredLogins = configuredLogins
        vault.passwordCommands = PasswordCommands(environment)
        vault.kernelCache = kernelCache
        let notices = DesktopNotices(configuration, environment: environment, logger: logger)
        self.notices = notices
        vault.audit = AuditLog(directory: directories.state, loop: loop, pool: pool) { notices?.note($0) }
        store = CredentialStore(vault, loop: loop, pool: pool)
        let trust = AdministratorsTrust()
        files = AdministratorsFiles(
            place: endpoints,
            logins: configuredLogins,
            registry: registry,
            trust: trust,
            pool: pool,
            logger: logger
        )
        let connector = ServerConnector(
            registry: registry,
            pool: lookUps,
            loop: loop,
            trust: trust,
            authorityFile: configuration.authorityFile,
            workers: pool,
            reach: reach,
            multicastNames: { [browser] name in await browser.addresses(of: name, within: .seconds(1), on: loop) },
            allowsAddress: { [filter] address, source in
                source == .avahi ? filter.allowsStill(address) : sources.allow(address, from: source)
            }
        )
        broker = ConnectionBroker(
            connector: connector,
            store: store,
            directory: runtime.adapters,
            grantsDirectory: runtime.grants,
            paths: LoopbackPaths(directory: directories.state, pool: pool),
            state: directories.state,
            limits: AdapterLimits(configuration),
            logger: logger
        )
        adapters = configuration.configuredAdapters
        for problem in configuration.adapterProblems {
            let line = problem.origin?.line.map { "line \($0): " } ?? ""
            let detail = "\(line)\(problem.reason)"
            notes.add(ManagerAPI.Note(code: .adapterIgnored, path: problem.origin?.file, detail: detail))
        }
        liveness = LivenessMonitor(
            connector: connector,
            store: store,
            states: ReachabilityStore(directory: directories.state, pool: pool),
            limits: ProbeLimits(configuration),
            logger: logger
        ) { [browser] instance in
            browser.refresh(instance)
            for source in sources.all { source.refresh(instance) }
        }
        triggers = try LockTriggers(configuration.lockOn, store: store, broker: broker, loop: loop, logger: logger)
        server = try LocalAPIServer(
            services: LocalServices(
                registry: registry,
                store: store,
                broker: broker,
                connector: connector,
                liveness: liveness,
                opening: InteractiveOpening(
                    broker: broker,
                    store: store,
                    desk: PromptDesk(loop: loop, PromptWays(configuration, environment: environment).prompter)
                )
            ),
            facts: DaemonFacts(
                started: .now(),
                notes: { [notes, triggers, files, browser, program] in
                    let isKnown = await browser.checkLife(within: .seconds(1), on: loop)
                    var all = (isKnown ? [] : [ManagerAPI.Note(code: .avahiSilent)]) + notes.all
                    all += files.problems.map { ManagerAPI.Note($0) }
                    all += triggers.unnoticed.map { ManagerAPI.Note($0.event, unnoticed: $0.reason) }
                    all += sources.omissions.map { ManagerAPI.Note($0.omission, of: $0.source) }
                    if let shortage = browser.shortage { all.append(ManagerAPI.Note(shortage)) }
                    if let program, (try? await pool.perform({ program.isReplaced })) == true {
                        all.append(ManagerAPI.Note(code: .programReplaced, path: program.path))
                    }
                    return all
                },
                refusedAddresses: { [filter] in filter.refused },
                multicastInterfaces: MulticastInterfaces.current,
                configuration: { await loaded.reply(on: pool) }
            ),
            limits: VarlinkLimits(configuration),
            loop: loop,
            logger: logger
        )
        // Created last: everything above may throw, and NIO treats a promise that is never completed as a bug.
        stopping = loop.makePromise()
    }

    /// Reads the saved state, and listens. When it returns, clients can be served.
    func start(_ passed: PassedSockets) async throws {
        store.audit?.note(AuditEntry(.daemonStarted))
        for (path, reason) in home.unclaimed {
            notes.add(ManagerAPI.Note(code: .directoryUnclaimed, path: path, detail: reason))
        }
        if let problem = await registry.load() { notes.add(ManagerAPI.Note(problem)) }
        await files.read()
        if let problem = await liveness.load() { notes.add(ManagerAPI.Note(problem)) }
        for problem in configuredLogins.problems { notes.add(ManagerAPI.Note(problem)) }
        if let problem = kernelCache?.problem {
            notes.add(ManagerAPI.Note(code: .keyringUnusable, detail: problem))
        }
        // The daemon starts even if the vault is unusable. Status reports the fault.
        do {
            try await store.load()
            if try await !store.unlockAutomatically() { _ = await store.unlockFromKernelCache() }
            try await store.checkTrust()
        } catch {
            logger.warning("the vault is not usable", metadata: ["error": "\(error)"])
        }
        for (name, reason) in await broker.open(adapters) {
            notes.add(ManagerAPI.Note(code: .adapterUnopened, name: name, detail: reason))
        }
        try await listen(passed)
    }

    /// Listens on the sockets that systemd passed, and creates those that it did not pass. All sockets of a unit have
    /// the same name, so the second one is found by its path.
    private func listen(_ passed: PassedSockets) async throws {
        let isForAdapters = { (socket: PassedSockets.Socket) in socket.path?.hasSuffix("/adapters.sock") == true }
        try await listen(.main, at: runtime.socketPath, passed.sockets.first { !isForAdapters($0) })
        try await listen(.adapters, at: runtime.adapterSocketPath, passed.sockets.first(where: isForAdapters))
    }

    private func listen(_ socket: ServedSocket, at path: String, _ passed: PassedSockets.Socket?) async throws {
        // A socket unit of systemd before 262 cannot mark a socket, so a passed one is marked too.
        defer { VarlinkMark.set(at: passed?.path ?? path) }
        if let passed { return try await server.listen(socket, descriptor: passed.descriptor) }
        do {
            try await server.listen(socket, path: path)
            ownSockets.withLock { $0.append(path) }
        } catch {
            throw StartError.socket(path: path, reason: "\(error)")
        }
    }

    /// Serves until `stop` is called. Then it ends sessions and connections, and that part must not be cancelled.
    func run() async {
        await withTaskGroup { group in
            if reach == .network { searchForServers(in: &group) }
            group.addTask { [files, rereadings] in
                for await _ in rereadings { await files.read() }
            }
            group.addTask { [registry] in await registry.keepSaved() }
            group.addTask { [broker] in await broker.run() }
            group.addTask { [liveness] in await liveness.run() }
            group.addTask { [triggers] in await triggers.run() }
            if let notices { group.addTask { [registry] in await notices.run(registry) } }
            group.addTask { await self.keepWatchdogQuiet() }
            try? await stopping.futureResult.get()
            browser.stop()
            for source in sources.all { source.stop() }
            group.cancelAll()
        }
        await server.stop(within: .seconds(1))
        await broker.stop()
        await liveness.finish()
        await store.lock(keepingCache: true)
        await store.audit?.finish()
        // A socket that systemd created outlives the service.
        for path in ownSockets.withLock({ $0 }) { unlink(path) }
    }

    /// Keeps the list of servers in step with all sources.
    private func searchForServers(in group: inout TaskGroup<Void>) {
        group.addTask { [registry, browser, filter, logger] in
            let events = browser.events().map { filter.checked($0) }
            await registry.consume(events, from: browser.name, logger: logger) { browser.resend() }
        }
        for source in sources.all {
            group.addTask { [registry, logger] in
                await registry.consume(source.events(), from: source.name, logger: logger) { source.resend() }
            }
        }
    }

    /// Ends `run`. Can be called from any thread.
    func stop() {
        stopping.succeed()
    }

    /// Reads the administrator's files again, on SIGUSR2.
    func readFiles() {
        rereading.yield()
    }

    /// Locks the vault, on SIGUSR1.
    func lockVault() {
        loop.execute(for: store) { $0.lock() }
    }

    /// Notifies systemd's watchdog that the loop runs, twice in each watchdog interval.
    private func keepWatchdogQuiet() async {
        guard let interval = notification.watchdogInterval else { return }
        while true {
            do {
                try await loop.sleep(for: interval / 2)
                try notification.send(.watchdog)
            } catch is CancellationError {
                return
            } catch {
                logger.warning("the service manager does not accept messages", metadata: ["error": "\(error)"])
            }
        }
    }
}
