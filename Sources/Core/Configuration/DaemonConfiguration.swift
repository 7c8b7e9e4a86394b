// SPDX-License-Identifier: Apache-2.0

package import Discovery
package import Endpoints
package import Platform
package import Prompts

/// The settings of relativityd. The initial values are the defaults.
package struct DaemonConfiguration: Sendable, Hashable {
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

    /// DNS-SD service types, 1 to 16 of them. `*` stands for all types that end with `_rosdk._tcp`.
    package var serviceTypes = ["_Relativity_DataService_rosdk._tcp"]
    /// The usual settings of service types, at most 64, each type at most once.
    package var serviceTypeSettings: [ServiceTypeConfiguration] = []
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
    package var etcdLists: [EtcdList] = []
    /// An unlocked vault is locked after this time without use.
    package var idleLock = Duration.seconds(600)
    /// An unlocked vault is locked after this time in any case, at most 12 hours.
    package var absoluteLock = Duration.seconds(7_200)
    /// Events that lock an unlocked vault.
    package var lockOn: Set<LockReason> = [.suspend]
    /// The kind of memory that holds secrets. If the kernel refuses it, the next best is used.
    package var memory = SecretArena.Preference.memfdSecret
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
    package var configuredAdapters: [ConfiguredAdapter] = []
    /// Errors in tables of adapters, with the place and the name of the table.
    package var adapterProblems: [ConfigurationError] = []
    package var promptAgent = PromptWays.Choice.automatic
    /// The path of a pinentry; if nil, one is searched for.
    package var pinentry: String?
    /// Whether the desktop shows notifications of events that no command of the user causes.
    package var notifiesOnDesktop = false
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

    /// The tables of plain keys, which environment variables can set.
    static let plainTables = [
        "discovery", "registry", "probe", "vault", "tls", "adapters", "prompts", "api", "notifications",
    ]

    /// Parses the text of one file. Missing keys keep their defaults.
    ///
    /// - Throws: the first error.
    package init(parsing text: String) throws(ConfigurationError) {
        do {
            self = try EffectiveConfiguration([.file(.named, path: nil, text: text)]).configuration
        } catch {
            throw error.errors[0]
        }
    }

    mutating func read(_ reader: inout TableReader) {
        reader.table("discovery") { table in
            table.strings("service_types", 1...16, into: &serviceTypes, where: Self.isServiceType)
            table.integer("maximum_endpoints", 1...65_536, into: &maximumEndpoints)
        }
        reader.report(reader.tables("service_type", atMost: 64, into: &serviceTypeSettings))
        reader.table("registry") { table in
            // The kept endpoints must fit into the file that is read completely at startup.
            table.integer("kept_endpoints", 1...1_024, into: &keptEndpoints)
            table.integer("changes_per_second", 1...1_000, into: &changesPerSecond)
        }
        reader.report(reader.tables("dns_domain", atMost: 16, into: &dnsDomains))
        reader.report(reader.tables("etcd", atMost: 8, into: &etcdLists))
        reader.table("probe") { table in
            table.word("mode", into: &probe)
            table.seconds("interval", 10...3_600, into: &probeInterval)
            table.seconds("interval_in_use", 2...60, into: &probeIntervalInUse)
        }
        reader.table("vault") { table in
            table.seconds("idle_lock", 10...43_200, into: &idleLock)
            table.seconds("absolute_lock", 10...43_200, into: &absoluteLock)
            table.words("lock_on", into: &lockOn)
            table.word("memory", into: &memory)
            table.flag("cache_kernel", into: &cachesInKernel)
        }
        reader.table("tls") { $0.path("ca_file", into: &authorityFile) }
        reader.table("adapters") { table in
            table.integer("maximum", 1...4_096, into: &maximumAdapters)
            table.seconds("idle", 10...43_200, into: &adapterIdle)
            table.seconds("longest", 60...43_200, into: &adapterLongest)
        }
        // An invalid table of an adapter does not affect the others.
        adapterProblems += reader.tables("adapter", atMost: 32, into: &configuredAdapters)
        reader.table("prompts") { table in
            table.word("agent", into: &promptAgent)
            table.path("pinentry", into: &pinentry)
        }
        reader.table("api") { table in
            table.integer("connections", 2...4_096, into: &connections)
            table.integer("connections_per_process", 1...4_096, into: &connectionsPerProcess)
        }
        reader.table("notifications") { $0.flag("desktop", into: &notifiesOnDesktop) }
    }

    /// Checks for `_name._tcp` or `_name._udp`. The limit is 63 bytes, because Relativity's names exceed the 15
    /// letters of RFC 6335.
    static func isServiceType(_ type: String) -> Bool {
        if type == "*" { return true }
        let labels = type.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels[1] == "_tcp" || labels[1] == "_udp" else { return false }
        return labels[0].hasPrefix("_") && (2...63).contains(labels[0].utf8.count)
            && labels[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
