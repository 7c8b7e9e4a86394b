// SPDX-License-Identifier: Apache-2.0

/// What relativityd can be told to do differently; the initial values are the defaults.
package struct DaemonConfiguration: Sendable, Hashable {
    package enum Memory: String, Sendable, Hashable, CaseIterable {
        case memfdSecret = "memfd_secret"
        case mlock
    }

    /// What locks an unlocked vault besides time and people.
    package enum LockReason: String, Sendable, Hashable, CaseIterable {
        /// The machine is about to sleep or to hibernate.
        case suspend
        /// The user's session locks.
        case sessionLock = "session-lock"
    }

    /// Whether known servers are probed.
    package enum Probe: String, Sendable, Hashable, CaseIterable {
        case on, off
    }

    /// What a person is asked with.
    package enum PromptAgent: String, Sendable, Hashable, CaseIterable {
        case auto, systemd, pinentry
        case nobody = "none"
    }

    /// DNS-SD types, 1 to 16 of them.
    package var serviceTypes = ["_Relativity_DataService_rosdk._tcp"]
    /// Announced servers that are kept, 1 to 65,536.
    package var maximumEndpoints = 8_192
    /// Servers that stay in the list because they were added, and as many because they were used, 1 to 1,024.
    package var keptEndpoints = 1_024
    /// Changes of the list that watchers are told in any one second, 1 to 1,000.
    package var changesPerSecond = 100
    /// Domains whose servers are found through DNS servers, at most 16, each once.
    package var dnsDomains: [DNSDomainConfiguration] = []
    package var probe = Probe.on
    /// Between two probes of a server, 10 seconds to an hour.
    package var probeInterval = Duration.seconds(60)
    /// The same while it is in use, 2 to 60 seconds.
    package var probeIntervalInUse = Duration.seconds(5)
    /// Lists that are shared through etcd, at most 8, each with a name of its own.
    package var etcdLists: [EtcdConfiguration] = []
    /// An unlocked vault locks after this long without use.
    package var idleLock = Duration.seconds(600)
    /// An unlocked vault locks after this long in any case, at most 12 hours.
    package var absoluteLock = Duration.seconds(7_200)
    package var lockOn: Set<LockReason> = [.suspend]
    package var memory = Memory.memfdSecret
    /// What was derived from a passphrase is kept by the kernel, for a daemon that is started again.
    package var cachesInKernel = false
    /// A file of certificate authorities, in PEM, that may vouch for servers; nil for those of the system.
    package var authorityFile: String?
    /// Open adapters, 1 to 4,096.
    package var maximumAdapters = 64
    package var adapterIdle = Duration.seconds(900)
    package var adapterLongest = Duration.seconds(43_200)
    /// Adapters that are there as long as the daemon runs, at most 32, each with a name and a port of its own.
    package var configuredAdapters: [AdapterConfiguration] = []
    /// What was wrong with others, and in which table.
    package var adapterProblems: [String] = []
    package var promptAgent = PromptAgent.auto
    /// The path of a pinentry; nil looks for one.
    package var pinentry: String?
    /// Connections to the daemon's socket, 2 to 4,096.
    package var connections = 256
    /// Connections of one process to it, 1 to 4,096; more than `connections` changes nothing.
    package var connectionsPerProcess = 32

    package init() {}
}
