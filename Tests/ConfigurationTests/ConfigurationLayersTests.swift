// SPDX-License-Identifier: Apache-2.0

import Configuration
import Platform
import Testing

@Suite("Layers of the configuration")
struct ConfigurationLayersTests {
    private static let files: [(ConfigurationOrigin.Layer, String)] = [
        (.vendor, "/v.toml"), (.administrator, "/a.toml"), (.administrator, "/a.d/1.toml"), (.user, "/u.toml"),
    ]

    /// Merges the texts of vendor, administrator, administrator's second file and user, then the other layers.
    private static func merge(
        _ texts: String...,
        and others: [ConfigurationLayer?] = []
    ) throws -> EffectiveConfiguration {
        let layers = zip(files, texts).map { ConfigurationLayer.file($0.0, path: $0.1, text: $1) }
        return try EffectiveConfiguration(layers + others.map { try #require($0) })
    }

    private static func errors(_ texts: String..., and others: [ConfigurationLayer?] = []) throws -> [String] {
        let layers = zip(files, texts).map { ConfigurationLayer.file($0.0, path: $0.1, text: $1) }
        let all = try layers + others.map { try #require($0) }
        return try #require(throws: ConfigurationErrors.self) { try EffectiveConfiguration(all) }.errors.map { "\($0)" }
    }

    @Test("each key has the value and the origin of the last layer that sets it")
    func keys() throws {
        let merged = try Self.merge(
            "[vault]\nidle_lock = 11\nabsolute_lock = 12\nmemory = \"mlock\"",
            "[vault]\nidle_lock = 21\nabsolute_lock = 22\n[api]\nconnections = 23",
            "vault.absolute_lock = 32",
            "\n\n[vault]\nidle_lock = 41",
            and: [
                .variable("RELATIVITYD_API_CONNECTIONS", value: "53"),
                .option(parsing: "api.connections_per_process=64"),
            ]
        )
        let configuration = merged.configuration
        #expect(configuration.idleLock == .seconds(41) && configuration.absoluteLock == .seconds(32))
        #expect(configuration.memory == .mlock && configuration.connections == 53)
        let origins = Dictionary(uniqueKeysWithValues: merged.settings.map { ($0.key, ($0.value, $0.origin)) })
        func check(_ key: String, _ value: String?, _ origin: ConfigurationOrigin) {
            #expect(origins[key]?.0 == value && origins[key]?.1 == origin, "\(String(describing: origins[key]))")
        }
        check("vault.idle_lock", "41", ConfigurationOrigin(.user, file: "/u.toml", line: 4))
        check("vault.absolute_lock", "32", ConfigurationOrigin(.administrator, file: "/a.d/1.toml", line: 1))
        check("vault.memory", "\"mlock\"", ConfigurationOrigin(.vendor, file: "/v.toml", line: 4))
        check("vault.lock_on", "[\"suspend\"]", ConfigurationOrigin(.builtIn))
        check("api.connections", "53", ConfigurationOrigin(.environment, variable: "RELATIVITYD_API_CONNECTIONS"))
        check("api.connections_per_process", "64", ConfigurationOrigin(.option))
        check("tls.ca_file", nil, ConfigurationOrigin(.builtIn))
        #expect(merged.settings.count == 21)
    }

    @Test("a table of an array replaces that of the same name in an earlier layer, and others are added")
    func arrays() throws {
        let merged = try Self.merge(
            "[[dns_domain]]\nname = \"a.org\"\nservers = [\"10.0.0.1\"]\n[[dns_domain]]\nname = \"b.org\"",
            "[[dns_domain]]\nname = \"c.org\"\n[[dns_domain]]\nname = \"a.org\"",
            "[[etcd]]\nname = \"fleet\"\nservers = [\"https://10.0.0.5:2379\"]\nprefix = \"/a\"",
            "[[adapter]]\nname = \"x\"\nlogin = \"l\"\nport = 2000\npath = \"/0123456789abcdef0123456789abcdef\""
        )
        #expect(merged.configuration.dnsDomains.map(\.name) == ["a.org", "b.org", "c.org"])
        #expect(merged.configuration.dnsDomains[0].servers.isEmpty, "the whole table is replaced")
        #expect(merged.configuration.etcdLists.count == 1 && merged.configuration.configuredAdapters.count == 1)
        let shown = merged.settings.filter { $0.key.contains("[") }.map { "\($0.key)=\($0.value ?? "-")@\($0.origin)" }
        #expect(
            shown == [
                "dns_domain[a.org].name=\"a.org\"@/a.toml:4", "dns_domain[b.org].name=\"b.org\"@/v.toml:5",
                "dns_domain[c.org].name=\"c.org\"@/a.toml:2", "etcd[fleet].name=\"fleet\"@/a.d/1.toml:2",
                "etcd[fleet].prefix=\"/a\"@/a.d/1.toml:4",
                "etcd[fleet].servers=[\"https://10.0.0.5:2379\"]@/a.d/1.toml:3", "adapter[x].login=\"l\"@/u.toml:3",
                "adapter[x].name=\"x\"@/u.toml:2", "adapter[x].path=-@/u.toml:5", "adapter[x].port=2000@/u.toml:4",
            ]
        )
        let none = try Self.merge("[[dns_domain]]\nname = \"a.org\"", "dns_domain = []")
        #expect(none.configuration.dnsDomains.isEmpty)
        let twice = "[[dns_domain]]\nname = \"a.org\"\n"
        #expect(
            try Self.errors(twice, twice + twice)
                == ["/a.toml:4: 'dns_domain[2].name' must be unique among the tables"]
        )
    }

    @Test(
        "an unknown key has its place and the nearest key",
        arguments: [
            ("[vault]\nidle_lok = 1", "2: there is no key 'vault.idle_lok'; the nearest one is 'vault.idle_lock'"),
            ("[vaults]", "1: there is no key 'vaults'; the nearest one is 'vault'"),
            ("\nidle_lock = 20", "2: there is no key 'idle_lock'; the nearest one is 'vault.idle_lock'"),
            ("[api]\nagent = 1", "2: there is no key 'api.agent'; the nearest one is 'prompts.agent'"),
            ("[etcd_list]", "1: there is no key 'etcd_list': see relativityd.toml(5), and relativityd(8) for servers"),
            ("x = 1", "1: there is no key 'x': see relativityd.toml(5), and relativityd(8) for servers"),
            (
                "[[dns_domain]]\nname = \"a\"\nadresses = []",
                "3: there is no key 'dns_domain.adresses'; the nearest one is 'dns_domain.addresses'"
            ),
        ]
    )
    func nearest(text: String, error: String) throws {
        #expect(try Self.errors(text) == ["/v.toml:\(error)"])
    }

    @Test("all errors are reported, at most 20, with the file and line of each")
    func several() throws {
        let found = try Self.errors(
            "[vault]\nidle_lock = 1\nmemory = 7",
            "[vault]\nmemory = \"swap\"\n[api]\nconnections = true\nconection = 1",
            and: [.variable("RELATIVITYD_VAULT_CACHE_KERNEL", value: "maybe"), .option(parsing: "probe.mode=1")]
        )
        #expect(
            found == [
                "--set: 'probe.mode' must be \"on\" or \"off\", not 1",
                "/v.toml:2: 'vault.idle_lock' must be a whole number from 10 to 43200, not 1",
                "/a.toml:2: 'vault.memory' must be \"memfd_secret\" or \"mlock\", not \"swap\"",
                "RELATIVITYD_VAULT_CACHE_KERNEL: 'vault.cache_kernel' must be true or false, not \"maybe\"",
                "/a.toml:4: 'api.connections' must be a whole number from 2 to 4096, not true",
                "/a.toml:5: there is no key 'api.conection'; the nearest one is 'api.connections'",
            ]
        )
        let many = "[vault]\n" + (0..<30).map { "k\($0) = 1\n" }.joined()
        #expect(try Self.errors(many).count == 20)
        let syntax = try Self.errors("[", "=", "vault.idle_lock = 1")
        #expect(syntax.count == 2 && syntax[0].hasPrefix("/v.toml:1: the file is not valid TOML at column"))
    }

    @Test(
        "a variable or an option is a value of TOML, or a text without quotes",
        arguments: [
            ("tls.ca_file=/etc/ca.pem", "\"/etc/ca.pem\""), ("tls.ca_file=\"/etc/c a.pem\"", "\"/etc/c a.pem\""),
            ("vault.idle_lock=20", "20"), ("vault.lock_on=[]", "[]"), ("vault.memory=mlock", "\"mlock\""),
            ("vault.lock_on=[\"session-lock\"]", "[\"session-lock\"]"), ("vault.cache_kernel=true", "true"),
            ("tls.ca_file=/a\n[vault]\nidle_lock=20", "\"/a\\u000A[vault]\\u000Aidle_lock=20\""),
        ]
    )
    func written(option: String, value: String) throws {
        let layer = try #require(ConfigurationLayer.option(parsing: option))
        let set = try EffectiveConfiguration([layer]).settings.filter { $0.origin.layer == .option }
        #expect(set.map(\.value) == [value])
    }

    @Test(
        "options without a table, a key or a value are invalid, and other variables have other uses",
        arguments: ["vault", "vault=1", "vault.idle_lock", ".a=1", "vault.=1", "a.b.c=1", "=", ""]
    )
    func notWritten(text: String) {
        #expect(ConfigurationLayer.option(parsing: text) == nil)
        for name in ["RELATIVITYD_SOCKET", "RELATIVITYD_DATA_SERVICE", "VAULT_IDLE_LOCK", "RELATIVITYD_VAULT"] {
            #expect(ConfigurationLayer.variable(name, value: "1") == nil)
        }
    }
}
