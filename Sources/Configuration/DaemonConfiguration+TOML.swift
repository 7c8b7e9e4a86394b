// SPDX-License-Identifier: Apache-2.0

import Endpoints
import TOMLKit

extension DaemonConfiguration {
    package static let maximumBytes = 256 << 10

    /// Reads a configuration file's text; keys that it leaves out keep their defaults.
    package init(parsing text: String) throws(ConfigurationError) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        try Self.check(text)
        let root: TOMLTable
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw .syntax("line \(error.source.begin.line): \(Printable(error.description))")
        } catch {
            throw .syntax("\(Printable("\(error)"))")
        }
        self.init()
        var reader = TableReader(root)
        try readDiscovery(reader.table("discovery"))
        try readDNSDomains(reader.tables("dns_domain", atMost: 16))
        try readProbe(reader.table("probe"))
        try readVault(reader.table("vault"))
        try readAdapters(reader.table("adapters"))
        try readAPI(reader.table("api"))
        try reader.finish()
    }

    /// Refuses what the TOML library does not: a NUL, where it would stop reading, and a table header that begins with
    /// neither a key nor a quote, as in `[~`, at which it ends the process. To recognise one, nothing outside comments
    /// may be other than plain ASCII, which no key or value of ours needs.
    private static func check(_ text: String) throws(ConfigurationError) {
        guard !text.utf8.contains(0) else { throw .syntax("a NUL is no text") }
        for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            var code = line.prefix { $0 != UInt8(ascii: "#") }
            if code.last == UInt8(ascii: "\r") { code = code.dropLast() }
            guard code.allSatisfy({ isBlank($0) || (0x21...0x7E).contains($0) }) else {
                throw .syntax("line \(index + 1): a character that is not plain ASCII")
            }
            code = code.drop(while: isBlank)
            guard code.first == UInt8(ascii: "[") else { continue }
            code = code.dropFirst()
            if code.first == UInt8(ascii: "[") { code = code.dropFirst() }
            guard let first = code.first(where: { !isBlank($0) }), isKeyStart(first) else {
                throw .syntax("line \(index + 1): a table header without a name")
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private static func isKeyStart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
            UInt8(ascii: "'"):
            true
        default: false
        }
    }

    private mutating func readDiscovery(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        serviceTypes = try table.strings("service_types", 1...16, where: Self.isServiceType) ?? serviceTypes
        maximumEndpoints = try table.integer("maximum_endpoints", 1...65_536) ?? maximumEndpoints
        try table.finish()
    }

    private mutating func readDNSDomains(_ tables: [TableReader]) throws(ConfigurationError) {
        for table in tables {
            let domain = try DNSDomainConfiguration(table)
            guard !dnsDomains.contains(where: { $0.name == domain.name }) else {
                throw .invalid(key: "dns_domain.name", expected: "another one in each table")
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

    private mutating func readVault(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        idleLock = try table.seconds("idle_lock", 10...43_200) ?? idleLock
        absoluteLock = try table.seconds("absolute_lock", 10...43_200) ?? absoluteLock
        lockOn = try table.words("lock_on") ?? lockOn
        memory = try table.word("memory") ?? memory
        cachesInKernel = try table.flag("cache_kernel") ?? cachesInKernel
        try table.finish()
    }

    private mutating func readAdapters(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        maximumAdapters = try table.integer("maximum", 1...4_096) ?? maximumAdapters
        adapterIdle = try table.seconds("idle", 10...43_200) ?? adapterIdle
        adapterLongest = try table.seconds("longest", 60...43_200) ?? adapterLongest
        try table.finish()
    }

    private mutating func readAPI(_ table: TableReader?) throws(ConfigurationError) {
        guard var table else { return }
        connections = try table.integer("connections", 2...4_096) ?? connections
        connectionsPerProcess = try table.integer("connections_per_process", 1...4_096) ?? connectionsPerProcess
        try table.finish()
    }

    /// `_name._tcp` or `_name._udp`. Relativity's names break the 15 letters of RFC 6335, so 63 bytes are the bound.
    private static func isServiceType(_ type: String) -> Bool {
        let labels = type.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count == 2, labels[1] == "_tcp" || labels[1] == "_udp" else { return false }
        return labels[0].hasPrefix("_") && (2...63).contains(labels[0].utf8.count)
            && labels[0].utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
