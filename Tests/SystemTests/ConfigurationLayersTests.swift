// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite("The configuration on the command line", .timeLimit(.minutes(1)))
struct ConfigurationLayersOnCommandLineTests {
    private let deployment = Deployment()

    @Test("files, variables and options are merged, and errors of each have their place")
    func layers() async throws {
        mkdir(deployment.home.path(of: "config/relativityd/relativityd.toml.d"), 0o700)
        let part = deployment.home.path(of: "config/relativityd/relativityd.toml.d/1.toml")
        deployment.home.write(Array("[api]\nconnections = 9\nconnections_per_process = 8\n".utf8), to: "1.toml")
        symlink(deployment.home.path(of: "1.toml"), part)
        let variables = ["RELATIVITYD_API_CONNECTIONS_PER_PROCESS": "7", "RELATIVITYD_VAULT_MEMORY": "mlock"]
        let daemon = try await deployment.startDaemon(
            environment: variables,
            options: ["--set", "adapters.maximum=6", "--set=vault.memory=memfd_secret"]
        )
        let shown = try await deployment.success("config", "show", "--json")
        let object = try #require(try JSONValue(parsing: shown).objectValue)
        let settings = try object.objects("settings")
        func origin(_ key: String) throws -> String {
            let setting = try #require(try settings.first { try $0.string("key") == key })
            let place = ["file", "variable"].compactMap { try? setting.string($0) }.first ?? "-"
            return "\(try setting.string("value")) \(try setting.string("layer")) \(place)"
        }
        #expect(try origin("api.connections") == "9 user \(part)")
        #expect(
            try origin("api.connections_per_process") == "7 environment RELATIVITYD_API_CONNECTIONS_PER_PROCESS"
        )
        #expect(try origin("adapters.maximum") == "6 option -")
        #expect(try origin("vault.memory") == "\"memfd_secret\" option -")
        #expect(try origin("vault.idle_lock") == "600 builtIn -")
        #expect(try !object.bool("outdated") && object.strings("files").last == part)
        try await daemon.end()

        deployment.home.write(Array("[api]\nconections = 9\n".utf8), to: "1.toml")
        let refused = try await deployment.runDaemon(
            environment: ["RELATIVITYD_VAULT_IDLE_LOK": "1"],
            options: ["--set", "probe.mode=maybe"]
        )
        #expect(refused.status == 78)
        let lines = refused.standardError.split(separator: "\n").sorted()
        #expect(
            lines == [
                "relativityd: error: --set: 'probe.mode' must be \"on\" or \"off\", not \"maybe\"",
                "relativityd: error: \(part):2: there is no key 'api.conections'; the nearest one is 'api.connections'",
                "relativityd: error: RELATIVITYD_VAULT_IDLE_LOK: there is no key 'vault.idle_lok'; the nearest one is "
                    + "'vault.idle_lock'",
            ]
        )
        #expect(try await deployment.runDaemon(options: ["--set", "idle_lock=1"]).status == 64)
    }

    @Test(
        "an option without a name or without a value is an error",
        arguments: [
            (["=--help"], "unknown option '=--help'"), (["=--version"], "unknown option '=--version'"),
            (["--config=", "--check"], "--config needs a file"),
            (["--endpoints=", "--check"], "--endpoints needs a directory"),
            (["--set=", "--check"], "--set needs SECTION.KEY=VALUE"),
        ]
    )
    func options(_ words: [String], _ message: String) async throws {
        let refused = try await deployment.runDaemon(options: words)
        #expect(refused.status == 64 && refused.standardError.contains(message), "\(refused)")
    }
}
