// SPDX-License-Identifier: Apache-2.0

extension DaemonConfiguration {
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
                throw .invalid(key: table.prefix + "name", expected: "another one in each table")
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
                throw .invalid(key: table.prefix + "name", expected: "another one in each table")
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
        let labels = type.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels[1] == "_tcp" || labels[1] == "_udp" else { return false }
        return labels[0].hasPrefix("_") && (2...63).contains(labels[0].utf8.count)
            && labels[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
