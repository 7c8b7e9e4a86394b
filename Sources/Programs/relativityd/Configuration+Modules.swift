// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Credentials
import Discovery
import Endpoints
import EventLoops
import Glibc
import LocalAPI
import Locks
import Logging
import NIOCore
import NIOPosix
import Platform
import Prompts
import Registry
import Varlink
import VarlinkService

extension RegistryLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init()
        discovered = configuration.maximumEndpoints
        kept = configuration.keptEndpoints
        changesPerSecond = configuration.changesPerSecond
    }
}

extension ServiceTypeSettings {
    init(_ configuration: DaemonConfiguration) {
        self.init(
            configuration.serviceTypeSettings.map { type in
                let settings = EndpointSettings {
                    ($0.dataService, $0.loginService) = (type.dataService, type.loginService)
                    ($0.loginDomain, $0.loginSchema) = (type.domain, type.schema)
                }
                return (type: type.type, settings: settings)
            }
        )
    }
}

extension ProbeLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init(
            isOn: configuration.probe == .on,
            interval: configuration.probeInterval,
            intervalInUse: configuration.probeIntervalInUse
        )
    }
}

extension AdapterLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init()
        adapters = configuration.maximumAdapters
        idle = configuration.adapterIdle
        longest = configuration.adapterLongest
    }
}

extension VarlinkLimits {
    init(_ configuration: DaemonConfiguration) {
        self.init()
        connections = configuration.connections
        connectionsPerProcess = configuration.connectionsPerProcess
    }
}

extension VaultOptions {
    init(_ configuration: DaemonConfiguration, directories: Directories, environment: Environment) {
        self.init(
            directory: directories.data,
            keyProviders: [
                CredentialsDirectory(path: environment["CREDENTIALS_DIRECTORY"]),
                SystemdCreds(directory: directories.data),
                SecretServiceProvider(
                    helper: HelperProgram.path(of: "relativityd-secret-service"),
                    environment: environment
                ),
                KeyFile(directory: directories.state),
            ]
        )
        stateDirectory = directories.state
        lockPolicy = VaultLockPolicy(idle: configuration.idleLock, absolute: configuration.absoluteLock)
        memory = configuration.memory
    }
}

extension ConfiguredLogins {
    /// The logins in `$CREDENTIALS_DIRECTORY`.
    init(_ environment: Environment) {
        self.init(
            directory: environment["CREDENTIALS_DIRECTORY"],
            now: UInt64(clamping: time(nil)),
            endpointID: EndpointID.derived(from:)
        )
    }
}

extension PromptWays {
    init(_ configuration: DaemonConfiguration, environment: Environment) {
        self.init(configuration.promptAgent, pinentry: configuration.pinentry, environment: environment)
    }
}

/// The configuration as it was read at the start.
struct LoadedConfiguration: Sendable {
    let effective: EffectiveConfiguration
    /// The files that other users can write, as sentences.
    let warnings: [String]
    private let files: ConfigurationFiles
    private let found: [ConfigurationFiles.Found]

    /// Reads the files, and puts the environment and the options over them.
    ///
    /// - Throws: `StartError.configuration`.
    init(_ options: DaemonOptions, environment: Environment) throws {
        files = ConfigurationFiles(user: try Directories(environment).configuration, named: options.config)
        do {
            found = try files.list()
            warnings = ConfigurationFiles.warnings(about: found)
            let ofEnvironment = environment.names(withPrefix: ConfigurationLayer.variablePrefix).compactMap { name in
                environment[name].flatMap { ConfigurationLayer.variable(name, value: $0) }
            }
            effective = try EffectiveConfiguration(ConfigurationFiles.read(found) + ofEnvironment + options.settings)
        } catch let errors as ConfigurationErrors {
            throw StartError.configuration(errors.errors)
        } catch let error as ConfigurationError {
            throw StartError.configuration([error])
        }
    }

    /// The reply to `Manager.GetConfiguration`.
    ///
    /// - Parameter pool: looks for changes of the files.
    func reply(on pool: NIOThreadPool) async -> ManagerAPI.GetConfigurationReply {
        let present = try? await pool.perform { [files] in try? files.list() }
        return ManagerAPI.GetConfigurationReply(
            settings: effective.settings.map { ManagerAPI.Setting($0) },
            files: found.map(\.path),
            outdated: present != found
        )
    }
}

extension ManagerAPI.Setting {
    init(_ setting: ConfigurationSetting) {
        self.init(
            key: setting.key,
            value: setting.value,
            // Both enums have the same values.
            layer: Layer(rawValue: setting.origin.layer.rawValue) ?? .builtIn,
            file: setting.origin.file,
            line: setting.origin.line.map { Int64($0) },
            variable: setting.origin.variable
        )
    }
}

/// The configured sources of sightings, in addition to Avahi.
struct ConfiguredSources: Sendable {
    private let policies: [SourceName: NetworkPolicy]
    private let domains: [DomainBrowser]
    private let lists: [EtcdSource]

    init(_ configuration: DaemonConfiguration, environment: Environment, loop: any EventLoop) {
        domains = configuration.dnsDomains.compactMap { domain in
            DomainName(domain.name).map { name in
                DomainBrowser(
                    domain: name,
                    types: configuration.namedServiceTypes,
                    servers: domain.servers.isEmpty ? .file(path: "/etc/resolv.conf") : .fixed(domain.servers),
                    policy: NetworkPolicy(domain.addresses),
                    loop: loop
                )
            }
        }
        policies = Dictionary(
            configuration.dnsDomains.map { (.dns(domain: $0.name), NetworkPolicy($0.addresses)) }
                + configuration.etcdLists.map { ($0.source, $0.policy) }
        ) { first, _ in first }
        // Each pool has one separate thread, because a list may contain many names that no server answers for. They
        // must not delay look-ups for calls of users.
        let pool = NIOThreadPool(numberOfThreads: 1)
        let lookUps = NIOThreadPool(numberOfThreads: 1)
        if !configuration.etcdLists.isEmpty {
            pool.start()
            lookUps.start()
        }
        lists = configuration.etcdLists.map { list in
            let list = list.resolvingCredentials(in: environment["CREDENTIALS_DIRECTORY"])
            return EtcdSource(list, loop: loop, pool: pool, lookUps: lookUps)
        }
    }

    var all: [any SightingSource] { domains + lists }

    /// Whether a source is allowed to name an address. A source that is no longer configured is not.
    func allow(_ address: IPAddress, from source: SourceName) -> Bool {
        policies[source]?.allows(address) ?? false
    }

    /// The entries of their lists that were not accepted.
    var omissions: [(source: SourceName, omission: SourceOmission)] {
        domains.flatMap { domain in domain.omissions.map { (domain.name, $0) } }
            + lists.flatMap { list in list.omissions.map { (list.name, $0) } }
    }
}

/// Reads the administrator's files, and passes their content to the registry and the trust rules: at the start, and
/// each time they are read again.
struct AdministratorsFiles: Sendable {
    let place: Place
    /// The configured logins as they were at the start.
    let logins: ConfiguredLogins
    let registry: EndpointRegistry
    let trust: AdministratorsTrust
    let pool: NIOThreadPool
    let logger: Logger
    private let last = Last()

    /// The location of the files.
    struct Place {
        var directory = AdministratorsServers.usualDirectory
        /// Whether the command line names the directory.
        var isNamed = false
    }

    /// The entries that were refused when the files were last read.
    var problems: [AdministratorsFileProblem] { last.files.withLock { $0?.problems ?? [] } }

    /// Reads the files, and replaces the content that was read before. A problem is logged unless the last reading had
    /// it too.
    func read() async {
        let known = last.files.withLock { $0 }
        let files = try? await pool.perform { [place] in
            AdministratorsServers(directory: place.directory, after: known, isNamed: place.isNamed)
        }
        guard let files else { return }
        last.files.withLock { $0 = files }
        for problem in files.problems where known?.problems.contains(problem) != true { logger.warning("\(problem)") }
        let servers = files.servers.map { (id: EndpointID.derived(from: $0.url), server: $0) }
        let taken = Set(servers.map(\.id))
        // A server's own file has more facts than a login for the server.
        let bare = logins.servers.filter { !taken.contains($0.id) }
        var words = Dictionary(uniqueKeysWithValues: bare.map { ($0.id, AdministratorsTrust.Word($0)) })
        for (id, server) in servers { words[id] = AdministratorsTrust.Word(server) }
        // Set before the endpoints appear, so that none is used without its trust rules.
        trust.replace(words)
        await registry.configure(
            bare.map { ($0.id, ManualEntry($0)) } + servers.map { ($0.id, ManualEntry($0.server)) }
        )
    }

    /// The result of the last reading.
    private final class Last: Sendable {
        let files = Lock<AdministratorsServers?>(nil)
    }
}

extension AdministratorsTrust.Word {
    /// The identity is stored with the login, which is checked against it at each use.
    fileprivate init(_ server: ConfiguredLogins.Server) {
        self.init(file: server.file, fingerprint: nil, allowsPlaintext: false)
    }

    fileprivate init(_ server: AdministratorsServer) {
        self.init(
            file: server.path,
            fingerprint: server.fingerprint.flatMap(Fingerprint.init(bytes:)),
            allowsPlaintext: server.allowsPlaintext
        )
    }
}

extension ManualEntry {
    fileprivate init(_ server: ConfiguredLogins.Server) {
        self.init(name: server.name, url: server.url, origin: .configured)
    }

    fileprivate init(_ server: AdministratorsServer) {
        let usual = EndpointSettings {
            ($0.dataService, $0.loginService) = (server.dataService, server.loginService)
            ($0.loginDomain, $0.loginSchema) = (server.domain, server.schema)
        }
        self.init(name: server.name, url: server.url, origin: .configured, usual: usual)
    }
}
