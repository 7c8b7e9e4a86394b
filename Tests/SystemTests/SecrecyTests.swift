// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import TestSupport
import Testing

@Suite(
    "Secrets stay in the daemon",
    .enabled(if: Requirement.allMet([.program("python3")]), "needs python3"),
    .timeLimit(.minutes(2))
)
struct SecrecyTests {
    private static let password = "canary-7d1f-password"
    private static let passphrase = "canary-7d1f-passphrase"

    @Test("password, passphrase and ClientID are in no argument, variable, output, log, file or adapter's reply")
    func canaries() async throws {
        let deployment = Deployment()
        let daemon = try await deployment.startDaemon()
        let server = try await deployment.startServer()
        let wire = deployment.home.path(of: "wire")
        let recorder = try ChildProcess(
            ["python3", Sources.root + "/Tests/Tools/record.py", "\(server.port)", wire]
        )
        var ports = recorder.outputLines(silence: .seconds(20)).makeAsyncIterator()
        let first = await ports.next()
        let port = try #require(first)
        try await deployment.success("add", "sample", "127.0.0.1:\(port)")
        try await deployment.success("vault", "init", "--passphrase-stdin", input: Self.passphrase + "\n")

        #expect(
            try await deployment.addLogin(user: "Data", password: Self.password, options: ["--no-test"]).status == 0
        )
        var shown: [UInt8] = []
        let refused = try await deployment.relctl(
            "adapter",
            "open",
            "sample",
            "--login",
            "Data@sample/DASamples/Simple"
        )
        #expect(refused.status == 13)
        shown += refused.standardError.utf8
        #expect(try await deployment.addLogin().status == 0)
        let (holder, adapter) = try await deployment.holdAdapter("sample", "--login", Deployment.login)
        shown += JSONValue.object(adapter).serialized()
        let socket = try adapter.string("socketPath")
        for service in ["DataService", "NoSuchService"] {
            let call = AdapterCall(service: service, method: "GetSchema", strings: [""])
            shown += try await call.post(to: socket).raw
        }
        for verb in [
            ["list"], ["show", "sample"], ["login", "list"], ["login", "test", Deployment.login], ["adapter", "list"],
            ["vault", "status"], ["status"],
        ] {
            let command = Command(
                [Products.path(of: "relctl")] + verb + ["--json"],
                environment: deployment.environment
            )
            shown += try await command.succeed().utf8
        }

        // What the server was sent proves that the search would find them.
        let sent = TextFile.bytes(of: wire)
        let identifiers = Self.clientIDs(in: sent)
        #expect(identifiers.count >= 2)
        #expect(Self.contains(sent, Array(Self.password.utf8)))
        let secrets = [Array(Self.password.utf8), Array(Self.passphrase.utf8)] + identifiers
        let haystacks = [
            "outputs": shown, "processes": Self.processes(), "log": TextFile.bytes(of: deployment.daemonLog),
            "vault": TextFile.bytes(of: deployment.vaultFile),
        ]
        for (name, bytes) in haystacks {
            #expect(!bytes.isEmpty, "\(name)")
            for secret in secrets { #expect(!Self.contains(bytes, secret), "\(name)") }
        }
        for file in deployment.home.names(in: "data/relativityd") {
            let bytes = TextFile.bytes(of: deployment.home.path(of: "data/relativityd/\(file)"))
            for secret in secrets { #expect(!Self.contains(bytes, secret), "\(file)") }
        }
        holder.signal(SIGTERM)
        _ = holder.wait()
        recorder.closeInput()
        _ = recorder.wait()
        try await server.program.end()
        try await daemon.end()
    }

    /// The sessions on the wire: 16 bytes from the 12th on of every BinMessage (docs/wire.md).
    private static func clientIDs(in sent: [UInt8]) -> [[UInt8]] {
        let signature = Array("RO107".utf8)
        let found = sent.indices.filter { sent[$0...].starts(with: signature) }.map {
            Array(sent[$0...].dropFirst(12).prefix(16))
        }
        return Array(Set(found.filter { $0.count == 16 }))
    }

    /// Arguments and variables of every process.
    private static func processes() -> [UInt8] {
        guard let directory = opendir("/proc") else { return [] }
        defer { closedir(directory) }
        var bytes: [UInt8] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil else { continue }
            for file in ["cmdline", "environ"] { bytes += TextFile.bytes(of: "/proc/\(name)/\(file)") }
        }
        return bytes
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            part.withUnsafeBytes { part in
                guard let start = bytes.baseAddress, let wanted = part.baseAddress, bytes.count >= part.count else {
                    return false
                }
                return (0...bytes.count - part.count).contains {
                    bytes[$0] == part[0] && memcmp(start + $0, wanted, part.count) == 0
                }
            }
        }
    }
}
