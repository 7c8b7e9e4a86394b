// SPDX-License-Identifier: Apache-2.0

import Configuration
import Glibc
import Platform
import Prompts
import TestSupport
import Testing

@Suite("Configuration file")
struct DaemonConfigurationTests {
    /// The configuration file that the project ships.
    private static let example = TextFile.text(of: Sources.root + "/config/relativityd.toml")

    @Test("the shipped file sets every key to its default")
    func shipped() throws {
        #expect(try DaemonConfiguration(parsing: Self.example) == DaemonConfiguration())
        let keys = Self.example.split(separator: "\n").filter { !$0.hasPrefix("#") && $0.contains("=") }
        let commented = [
            "dnsDomains", "etcdLists", "serviceTypeSettings", "authorityFile", "configuredAdapters", "adapterProblems",
            "pinentry",
        ]
        let children = Mirror(reflecting: DaemonConfiguration()).children
        #expect(keys.count == children.count { !commented.contains($0.label ?? "") })
    }

    @Test("every key is read")
    func everyKey() throws {
        let read = try DaemonConfiguration(
            parsing: """
                discovery = { service_types = ["_a._tcp", "_b._udp"], maximum_endpoints = 1 }
                registry = { kept_endpoints = 5, changes_per_second = 6 }
                probe = { mode = "off", interval = 10, interval_in_use = 2 }
                vault = { idle_lock = 11, absolute_lock = 12, memory = "mlock", cache_kernel = true }
                tls = { ca_file = "/etc/ca.pem" }
                adapters = { maximum = 2, idle = 13, longest = 61 }
                prompts = { agent = "none", pinentry = "/usr/bin/pinentry" }
                api = { connections = 3, connections_per_process = 4 }
                notifications = { desktop = true }
                """
        )
        #expect(read.serviceTypes == ["_a._tcp", "_b._udp"])
        #expect(read.maximumEndpoints == 1)
        #expect(read.keptEndpoints == 5)
        #expect(read.changesPerSecond == 6)
        #expect(read.probe == .off)
        #expect(read.probeInterval == .seconds(10))
        #expect(read.probeIntervalInUse == .seconds(2))
        #expect(read.idleLock == .seconds(11))
        #expect(read.absoluteLock == .seconds(12))
        #expect(read.memory == .mlock)
        #expect(read.cachesInKernel)
        #expect(read.authorityFile == "/etc/ca.pem")
        #expect(read.maximumAdapters == 2)
        #expect(read.adapterIdle == .seconds(13))
        #expect(read.adapterLongest == .seconds(61))
        #expect(read.promptAgent == .nothing)
        #expect(read.pinentry == "/usr/bin/pinentry")
        #expect(read.connections == 3)
        #expect(read.connectionsPerProcess == 4)
        #expect(read.notifiesOnDesktop)
    }

    @Test(
        "a number must be an integer within its bounds",
        arguments: [
            ("discovery", "maximum_endpoints", 1, 65_536), ("probe", "interval", 10, 3_600),
            ("registry", "kept_endpoints", 1, 1_024), ("registry", "changes_per_second", 1, 1_000),
            ("probe", "interval_in_use", 2, 60), ("vault", "idle_lock", 10, 43_200),
            ("vault", "absolute_lock", 10, 43_200), ("adapters", "maximum", 1, 4_096),
            ("adapters", "idle", 10, 43_200), ("adapters", "longest", 60, 43_200), ("api", "connections", 2, 4_096),
            ("api", "connections_per_process", 1, 4_096),
        ]
    )
    func bounds(table: String, key: String, least: Int, most: Int) throws {
        _ = try DaemonConfiguration(parsing: "[\(table)]\n\(key) = \(least)")
        _ = try DaemonConfiguration(parsing: "[\(table)]\n\(key) = \(most)")
        let (name, range) = ("\(table).\(key)", "a whole number from \(least) to \(most)")
        let wrong = [
            "\(least - 1)", "\(most + 1)", "-\(least)", "9223372036854775807", "\(least).0", "\(least).5", "true",
            "\"\(least)\"",
            "[\(least)]", "{}", "nan", "inf", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z", "[]", "'x'",
        ]
        for value in wrong {
            let error = #expect(throws: ConfigurationError.self, "\(value)") {
                try DaemonConfiguration(parsing: "[\(table)]\n\(key) = \(value)")
            }
            guard case .invalid(name, range, _)? = error?.reason else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test(
        "other invalid values are rejected",
        arguments: [
            ("[probe]\nmode = true", "probe.mode"), ("[vault]\nmemory = \"swap\"", "vault.memory"),
            ("[vault]\nmemory = 1", "vault.memory"), ("[prompts]\npinentry = \"pinentry\"", "prompts.pinentry"),
            ("[prompts]\nagent = \"gui\"", "prompts.agent"),
            ("[vault]\nmemory = [\"mlock\"]", "vault.memory"), ("[vault]\nmemory = \"\"", "vault.memory"),
            ("vault = 1", "vault"), ("api = \"x\"", "api"), ("discovery = []", "discovery"),
            ("[[adapters]]", "adapters"), ("[notifications]\ndesktop = 1", "notifications.desktop"),
            ("[discovery]\nservice_types = []", "discovery.service_types"),
            ("[discovery]\nservice_types = \"_a._tcp\"", "discovery.service_types"),
            ("[discovery]\nservice_types = [1]", "discovery.service_types"),
            ("[discovery]\nservice_types = [\"_a._tcp\", 1]", "discovery.service_types"),
            ("[discovery]\nservice_types = [\"a._tcp\"]", "discovery.service_types"),
            ("[discovery]\nservice_types = [\"_a\"]", "discovery.service_types"),
            ("[discovery]\nservice_types = [\"_a._sctp\"]", "discovery.service_types"),
            ("[discovery]\nservice_types = [\"_a._tcp.local\"]", "discovery.service_types"),
            ("[discovery]\nservice_types = [\"_a b._tcp\"]", "discovery.service_types"),
            (
                "[discovery]\nservice_types = [\(String(repeating: "\"_a._tcp\",", count: 17))]",
                "discovery.service_types"
            ),
            ("[tls]\nca_file = \"ca.pem\"", "tls.ca_file"),
            (
                "[discovery]\nservice_types = [\"_\(String(repeating: "a", count: 63))._tcp\"]",
                "discovery.service_types"
            ),
        ]
    )
    func invalid(text: String, key: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try DaemonConfiguration(parsing: text) }
        guard case .invalid(key, _, _) = error.reason else {
            Issue.record("\(error)")
            return
        }
    }

    @Test(
        "the error names an unknown key or table",
        arguments: [
            ("x = 1", "x"), ("[vaults]", "vaults"), ("[vault]\nidle = 1", "vault.idle"), ("[api.x]", "api.x"),
            ("[discovery]\nService_types = []", "discovery.Service_types"), ("[vault]\nmemory.x = 1", nil),
            ("idle_lock = 20", "idle_lock"), ("[adapters]\n\"a\\nb\" = 1", #"adapters.a\u{A}b"#),
            ("[adapters]\n\"\" = 1", "adapters."), ("\"vault.idle_lock\" = 20", "vault.idle_lock"),
        ]
    )
    func unknown(text: String, key: String?) throws {
        let error = try #require(throws: ConfigurationError.self) { try DaemonConfiguration(parsing: text) }
        guard case .unknownKey(let found, _) = error.reason else {
            if key != nil { Issue.record("\(error)") }
            return
        }
        #expect(key == nil || found == key)
    }

    @Test(
        "text that is not TOML is rejected",
        arguments: [
            "[=", "[[[", "[.a]", "[{", "[]", "[[ ]]", "[#", "[\n", "\u{FEFF}[=", "\u{A0}[=", "[ä]", "\r[=", " [ [ [",
            "[", "[vault", "vault", "= 1", "[vault]\nidle_lock", "[vault]\nidle_lock = ", "[vault]\nidle_lock = 1 2",
            "[vault]\nidle_lock = 20\nidle_lock = 20", "[vault]\n[vault]", "\u{1}", "a = \"\n\"", "{}", "<xml/>",
            "\u{FFFD}\u{FFFD}",
            "[vault]\nidle_lock = 99999999999999999999", "[vault]\nidle_lock = 010", "\0", "# a\0b",
            "[vault]\nidle_lock = 20\n\0[nonsense]",
        ]
    )
    func syntax(text: String) throws {
        let error = try #require(throws: ConfigurationError.self) { try DaemonConfiguration(parsing: text) }
        guard case .syntax(_, let reason) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("a syntax error has its line and column")
    func place() throws {
        let text = "[vault]\nmemory = \"mlock\"\nmemory = \"mlock\"\n"
        let error = try #require(throws: ConfigurationError.self) { try DaemonConfiguration(parsing: text) }
        #expect("\(error)".hasPrefix("line 3: the file is not valid TOML at column "))
        #expect("\(error)".contains("'memory'"))
    }

    @Test("size and depth are limited")
    func bounded() throws {
        let limit = ConfigurationLayer.maximumBytes
        let error = #expect(throws: ConfigurationError.self) {
            try DaemonConfiguration(parsing: String(repeating: "#", count: 300 << 10))
        }
        #expect(error?.reason == .tooLarge(limit: limit))
        let line = String(repeating: "#", count: 1_023) + "\n"
        _ = try DaemonConfiguration(parsing: String(repeating: line, count: limit / 1_024))
        for deep in ["[", "{a=", "a.", "[[", "[a."] {
            #expect(throws: ConfigurationError.self, "\(deep)") {
                try DaemonConfiguration(parsing: "a = " + String(repeating: deep, count: 60_000))
            }
            #expect(throws: ConfigurationError.self, "\(deep)") {
                try DaemonConfiguration(parsing: String(repeating: deep, count: 60_000))
            }
        }
    }

    @Test("3,000 mutations of the shipped file are parsed or rejected without a crash")
    func mutations() throws {
        let example = Array(Self.example.utf8)
        let pieces = [
            "[", "]", "=", "\"", "\n", "'''", "9", "-", ".", "{", "}", "\0", "\u{FFFD}", "vault", "e9", "0x", "\\u",
        ].map { Array($0.utf8) }
        var random = SeededRandom(seed: 4)
        var refused = 0
        for _ in 0..<3_000 {
            var bytes = example
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...6, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[start] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(start..<end)
                case 2:
                    bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0..<bytes.count, using: &random))
                default: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: start)
                }
            }
            do {
                _ = try DaemonConfiguration(parsing: String(decoding: bytes, as: UTF8.self))
            } catch {
                refused += 1
            }
        }
        print("configuration: of 3,000 mutations \(refused) were refused")
        #expect((300...2_900).contains(refused))
    }
}
