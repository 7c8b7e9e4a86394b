// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import Platform
import TestSupport
import Testing

@Suite(
    "A machine that the administrator configured",
    .enabled(if: Requirement.allMet([.root]), "needs root, for the administrator's files and other users"),
    .timeLimit(.minutes(3))
)
struct RolledOutMachineTests {
    private static let users: [uid_t] = Array(20_001...20_004)

    private let deployment = Deployment()

    /// Runs a program with the administrator's directory as `/etc/relativityd`, in a mount namespace of its own. The
    /// machine's `/etc` is not changed.
    private var onMachine: [String] {
        let script = """
            cd "$0" && mount -t tmpfs tmpfs machine && mkdir machine/etc machine/real && mount --bind /etc machine/real
            ln -s "$PWD"/machine/real/* machine/etc/ && rm -f machine/etc/relativityd && mkdir machine/etc/relativityd
            mount --bind machine/etc /etc && mount --bind "$PWD/administrator" /etc/relativityd && exec "$@"
            """
        return ["unshare", "--mount", "sh", "-c", script, deployment.home.path]
    }

    private func write(_ lines: String..., to name: String) {
        deployment.home.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: name, mode: 0o644)
    }

    /// Writes the files of the administrator: settings, the server with its pin, and the login.
    private func configure(port: Int) throws -> String {
        for name in ["", "machine", "administrator", "administrator/relativityd.toml.d", "administrator/endpoints.d"] {
            mkdir(deployment.home.path(of: name), 0o755)
            chmod(deployment.home.path(of: name), 0o755)
        }
        // The pin's canonical record (docs/vault-format.md) for plain HTTP on loopback: strength, address, port.
        let record: [UInt8] = [0, 4, 0, 127, 0, 0, 1, 2, 0, UInt8(port & 0xFF), UInt8(port >> 8)]
        let pin = HexText.encode(SHA256.digest(of: record))
        write("[probe]", "mode = \"off\"", to: "administrator/relativityd.toml")
        write("[adapters]", "maximum = 7", to: "administrator/relativityd.toml.d/50-site.toml")
        write(
            "url = \"127.0.0.1:\(port)\"",
            "name = \"Head office\"",
            "pin = \"\(pin)\"",
            "allow_plaintext = true",
            to: "administrator/endpoints.d/office.toml"
        )
        return [
            "url=127.0.0.1:\(port)", "user=simple", "domain=DASamples", "schema=Simple", "pin=\(pin)",
            "allow_plaintext=yes", "password=simple", "",
        ].joined(separator: "\n")
    }

    @Test("four users without a file of their own find the server, open an adapter and call logged in")
    func users() async throws {
        let server = try await deployment.startServer()
        let login = try configure(port: server.port)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in Self.users { group.addTask { try await use(Home(user: user), user, login) } }
            try await group.waitForAll()
        }
        #expect(deployment.requests(of: "LoginService.LoginEx") == Self.users.count)
        #expect(deployment.requests(of: "DataService.GetSchema") == Self.users.count)
    }

    private func use(_ home: Home, _ user: uid_t, _ login: String) async throws {
        // As systemd passes credentials: a directory of the user's service, with files that only the user reads.
        let credentials = home.directory.path(of: "credentials")
        mkdir(credentials, 0o700)
        home.directory.write(Array(login.utf8), to: "credentials/relativityd.login.office", mode: 0o400)
        for path in [credentials, credentials + "/relativityd.login.office"] { chown(path, user, user) }
        let daemon = try await home.startDaemon(
            onMachine + home.asUser + ["env", "CREDENTIALS_DIRECTORY=\(credentials)"]
        )

        let list = try #require(try JSONValue(parsing: try await home.relctl("list", "--json")).objectValue)
        let endpoint = try #require(try list.objects("endpoints").first)
        #expect(try endpoint.string("name") == "Head office" && endpoint.string("origin") == "configured")
        let opened = try await home.relctl("adapter", "open", "Head office", "--ttl", "60", "--json")
        let adapter = try #require(try JSONValue(parsing: opened).objectValue)
        #expect(try adapter.string("login") == "office")
        home.directory.write(
            AdapterCall(service: "DataService", method: "GetSchema", strings: [""]).body,
            to: "call",
            mode: 0o644
        )
        let reply = try await home.run([
            "curl", "--silent", "--show-error", "--fail", "--unix-socket", try adapter.string("socketPath"),
            "--data-binary", "@\(home.directory.path(of: "call"))", "http://localhost/bin",
        ])
        #expect(reply.contains("<Schema") || reply.contains("DataTables"), "\(reply.count)")
        let origins = try await home.relctl("config", "show", "--origin")
        let line = try #require(origins.split(separator: "\n").first { $0.hasPrefix("adapters.maximum ") })
        #expect(line.hasSuffix("/etc/relativityd/relativityd.toml.d/50-site.toml:2") && line.contains(" 7 "))
        #expect(try await daemon.end() == 0)
    }
}
