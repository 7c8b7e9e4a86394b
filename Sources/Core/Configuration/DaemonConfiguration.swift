// SPDX-License-Identifier: Apache-2.0

/// The settings of relativityd. The initial values are the defaults.
package struct DaemonConfiguration: Sendable, Hashable {
    /// The kind of memory that holds secrets.
    package enum Memory: String, Sendable, Hashable, CaseIterable {
        case memfdSecret = "memfd_secret"
        case mlock
    }

    /// Events that lock an unlocked vault, in addition to timeouts and the user.
    package enum LockReason: String, Sendable, Hashable, CaseIterable {
        /// The machine is about to sleep or to hibernate.
        case suspend
        /// The user's session is locked.
        case sessionLock = "session-lock"
    }

    /// Whether known servers are probed.
    package enum Probe: String, Sendable, Hashable, CaseIterable {
        case on, off
    }

    /// The program that shows prompts to the user.
    package enum PromptAgent: String, Sendable, Hashable, CaseIterable {
        case auto, systemd, pinentry
        case nobody = "none"
    }

    /// DNS-SD service types, 1 to 16 of them. `*` stands for all types that end with `_rosdk._tcp`.
    package var serviceTypes = ["_Relativity_DataService_rosdk._tcp"]
    /// Maximum number of announced servers in the list, 1 to 65,536.
    package var maximumEndpoints = 8_192
    /// Maximum number of servers that stay in the list because they were added, and of those that stay because they
    /// were used, 1 to 1,024 each.
    package var keptEndpoints = 1_024
    /// Maximum number of changes of the list that are sent to watchers per second, 1 to 1,000.
    package var changesPerSecond = 100
    /// Domains that are browsed through DNS servers, at most 16, each at most once.
    package var dnsDomains: [DNSDomainConfiguration] = []
    /// Whether known servers are probed.
    package var probe = Probe.on
    /// Interval between two probes of a server, 10 seconds to an hour.
    package var probeInterval = Duration.seconds(60)
    /// Interval between two probes of a server in use, 2 to 60 seconds.
    package var probeIntervalInUse = Duration.seconds(5)
    /// Lists that are shared through etcd, at most 8, with unique names.
    package var etcdLists: [EtcdConfiguration] = []
    /// An unlocked vault is locked after this time without use.
    package var idleLock = Duration.seconds(600)
    /// An unlocked vault is locked after this time in any case, at most 12 hours.
    package var absoluteLock = Duration.seconds(7_200)
    /// Events that lock an unlocked vault.
    package var lockOn: Set<LockReason> = [.suspend]
    /// The kind of memory that holds secrets. If the kernel refuses it, the next best is used.
    package var memory = Memory.memfdSecret
    /// Whether the kernel keeps the key derived from a passphrase for a restarted daemon.
    package var cachesInKernel = false
    /// A PEM file with the certificate authorities that may verify servers; nil for those of the system.
    package var authorityFile: String?
    /// Maximum number of open adapters, 1 to 4,096.
    package var maximumAdapters = 64
    /// An adapter is closed after this time without a request, unless a client holds it.
    package var adapterIdle = Duration.seconds(900)
    /// An adapter is closed after this time in any case.
    package var adapterLongest = Duration.seconds(43_200)
    /// Adapters that are open as long as the daemon runs, at most 32, with unique names and ports.
    package var configuredAdapters: [AdapterConfiguration] = []
    /// The file that was read.
    package var path: String?
    /// Errors in tables of other adapters, with the name of the table.
    package var adapterProblems: [ConfigurationError] = []
    package var promptAgent = PromptAgent.auto
    /// The path of a pinentry; if nil, one is searched for.
    package var pinentry: String?
    /// Maximum number of connections to the daemon's socket, 2 to 4,096.
    package var connections = 256
    /// Maximum number of connections of one process to the daemon's socket, 1 to 4,096. A value above `connections`
    /// has no effect.
    package var connectionsPerProcess = 32

    /// Creates the default settings.
    package init() {}
}

extension DaemonConfiguration {
    /// The service types for DNS domains, whose types are not listed: without `*`, and at least the usual one.
    package var namedServiceTypes: [String] {
        let named = serviceTypes.filter { $0 != "*" }
        return named.isEmpty ? DaemonConfiguration().serviceTypes : named
    }

    /// Maximum size of a configuration file in bytes.
    package static let maximumBytes = 256 << 10

    /// Parses the text of a configuration file. Missing keys keep their defaults.
    package init(parsing text: String) throws(ConfigurationError) {
        self.init()
        var reader = try TableReader(parsing: text, maximumBytes: Self.maximumBytes)
        try readDiscovery(reader.table("discovery"))
        try readRegistry(reader.table("registry"))
        try readDNSDomains(reader.tables("dns_domain", atMost: 16))
        try readProbe(reader.table("probe"))
        try readEtcdLists(reader.tables("etcd", atMost: 8))
        try readVault(reader.table("vault"))
        try readTLS(reader.table("tls"))
        try readAdapters(reader.table("adapters"))
        readConfiguredAdapters(&reader)
        try readPrompts(reader.table("prompts"))
        try readAPI(reader.table("api"))
        try reader.finish()
    }

    private mutating func readDiscovery(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        serviceTypes = try table.strings("service_types", 1...16, where: Self.isServiceType) ?? serviceTypes
        maximumEndpoints = try table.integer("maximum_endpoints", 1...65_536) ?? maximumEndpoints
        try table.finish()
    }

    private mutating func readRegistry(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        // The kept endpoints must fit into the file that is read completely at startup.
        keptEndpoints = try table.integer("kept_endpoints", 1...1_024) ?? keptEndpoints
        changesPerSecond = try table.integer("changes_per_second", 1...1_000) ?? changesPerSecond
        try table.finish()
    }

    private mutating func readDNSDomains(_ tables: [TableReader]) throws(ConfigurationError) {
        for table in tables {
            let domain = try DNSDomainConfiguration(table)
            guard !dnsDomains.contains(where: { $0.name == domain.name }) else {
                throw .invalid(key: table.prefix + "name", expected: "unique among the tables")
            }
            dnsDomains.append(domain)
        }
    }

    private mutating func readProbe(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        probe = try table.word("mode") ?? probe
        probeInterval = try table.seconds("interval", 10...3_600) ?? probeInterval
        probeIntervalInUse = try table.seconds("interval_in_use", 2...60) ?? probeIntervalInUse
        try table.finish()
    }

    private mutating func readEtcdLists(_ tables: [TableReader]) throws(ConfigurationError) {
        for table in tables {
            let list = try EtcdConfiguration(table)
            guard !etcdLists.contains(where: { $0.name == list.name }) else {
                throw .invalid(key: table.prefix + "name", expected: "unique among the tables")
            }
            etcdLists.append(list)
        }
    }

    private mutating func readVault(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        idleLock = try table.seconds("idle_lock", 10...43_200) ?? idleLock
        absoluteLock = try table.seconds("absolute_lock", 10...43_200) ?? absoluteLock
        lockOn = try table.words("lock_on") ?? lockOn
        memory = try table.word("memory") ?? memory
        cachesInKernel = try table.flag("cache_kernel") ?? cachesInKernel
        try table.finish()
    }

    private mutating func readTLS(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        authorityFile = try table.text("ca_file", expected: "an absolute path") { $0.hasPrefix("/") ? $0 : nil }
        try table.finish()
    }

    private mutating func readAdapters(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        maximumAdapters = try table.integer("maximum", 1...4_096) ?? maximumAdapters
        adapterIdle = try table.seconds("idle", 10...43_200) ?? adapterIdle
        adapterLongest = try table.seconds("longest", 60...43_200) ?? adapterLongest
        try table.finish()
    }

    private mutating func readPrompts(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        promptAgent = try table.word("agent") ?? promptAgent
        pinentry = try table.text("pinentry", expected: "an absolute path") { $0.hasPrefix("/") ? $0 : nil }
        try table.finish()
    }

    private mutating func readAPI(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        connections = try table.integer("connections", 2...4_096) ?? connections
        connectionsPerProcess = try table.integer("connections_per_process", 1...4_096) ?? connectionsPerProcess
        try table.finish()
    }

    /// Checks for `_name._tcp` or `_name._udp`. The limit is 63 bytes, because Relativity's names exceed the 15
    /// letters of RFC 6335.
    private static func isServiceType(_ type: String) -> Bool {
        if type == "*" { return true }
        let labels = type.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels[1] == "_tcp" || labels[1] == "_udp" else { return false }
        return labels[0].hasPrefix("_") && (2...63).contains(labels[0].utf8.count)
            && labels[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}

/// The reason why a configuration file was rejected.
package enum ConfigurationError: Error, Hashable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case unreadable(reason: String)
    /// The text is not TOML.
    case syntax(String)
    case unknownKey(String)
    /// The value of a known key is invalid or missing.
    ///
    /// - Parameter found: the value, safe to print; nil if it must not be shown or is missing.
    case invalid(key: String, expected: String, found: String? = nil)

    package var description: String {
        switch self {
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .unreadable(let reason): "the file cannot be read: \(reason)"
        case .syntax(let reason): "the file is not valid TOML: \(reason)"
        case .unknownKey(let key): "there is no key '\(key)': see relativityd.toml(5), and relativityd(8) for servers"
        case .invalid(let key, let expected, let found):
            "'\(key)' must be \(expected)" + (found.map { ", not \($0)" } ?? "")
        }
    }
}
