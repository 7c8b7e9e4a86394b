// SPDX-License-Identifier: Apache-2.0

import Broker
import Configuration
import Credentials
import Endpoints
import EventLoops
import Logging
import NIOPosix
import Registry
import Synchronization

/// Brings what the administrator laid down to the rooms that it concerns, at the start and each time it is read again.
struct AdministratorsFiles: Sendable {
    let place: Place
    /// As they were at the start.
    let logins: ConfiguredLogins
    let registry: EndpointRegistry
    let trust: AdministratorsTrust
    let pool: NIOThreadPool
    let logger: Logger
    private let last = Last()

    /// Where the files are.
    struct Place {
        var directory = AdministratorsServers.usualDirectory
        /// The command line names it.
        var isNamed = false
    }

    init(
        _ place: Place,
        logins: ConfiguredLogins,
        registry: EndpointRegistry,
        trust: AdministratorsTrust,
        pool: NIOThreadPool,
        logger: Logger
    ) {
        self.place = place
        self.logins = logins
        self.registry = registry
        self.trust = trust
        self.pool = pool
        self.logger = logger
    }

    /// What could not be taken when the files were last read.
    var problems: [AdministratorsFileProblem] { last.files.withLock { $0?.problems ?? [] } }

    /// Reads the files and puts what they say in place of what they said before. What could not be taken is logged, unless
    /// that is known from the last time.
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
        // A server's own file says more of it than a login that is for it.
        let bare = logins.servers.filter { !taken.contains($0.id) }
        var words = Dictionary(uniqueKeysWithValues: bare.map { ($0.id, AdministratorsTrust.Word($0)) })
        for (id, server) in servers { words[id] = AdministratorsTrust.Word(server) }
        // Before the endpoints show: none is to be used without what is said of it.
        trust.replace(words)
        await registry.configure(
            bare.map { ($0.id, ManualEntry($0)) } + servers.map { ($0.id, ManualEntry($0.server)) }
        )
    }

    /// The last reading.
    private final class Last: Sendable {
        let files = Mutex<AdministratorsServers?>(nil)
    }
}

extension AdministratorsTrust.Word {
    /// The identity is with the login, which is checked against it on each use.
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
        let usual = EndpointSettings(
            dataService: server.dataService,
            loginService: server.loginService,
            loginDomain: server.domain,
            loginSchema: server.schema
        )
        self.init(name: server.name, url: server.url, origin: .configured, usual: usual)
    }
}
