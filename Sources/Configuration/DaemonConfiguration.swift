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

    /// DNS-SD service types, 1 to 16 of them.
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
