// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Glibc
import Platform

/// The commands of the probe.
struct ProbedVault {
    struct Unknown: Error {
        let command: String
    }

    let store: CredentialStore
    let arena: SecretArena
    let directory: String

    private static let pin = Pin.tls(spkiSHA256: [UInt8](repeating: 7, count: 32))

    /// - Returns: the text to print after `ok`.
    func perform(_ command: String, _ argument: String) async throws -> String {
        switch command {
        case "wait":
            try await store.load()
            return "ready"
        case "create":
            try await store.load()
            try await store.create(.provider(.credentialsDirectory))
            await store.audit?.finish()
            return await generation
        case "open":
            try await store.load()
            guard try await store.unlockAutomatically() else { throw Unknown(command: command) }
            // Otherwise waiting entries would be written within a second, during the next command.
            await store.audit?.finish()
            return await generation
        case "add":
            try await add(argument)
            return await generation
        case "remove":
            try await store.remove(argument)
            return await generation
        case "list":
            return try await store.logins().map(\.name).joined(separator: " ")
        case "bench":
            return try await Bench(vault: self, rounds: Int(argument) ?? 0).run()
        default:
            throw Unknown(command: command)
        }
    }

    func add(_ name: String) async throws {
        guard let endpoint = EndpointID("sample") else { throw Unknown(command: name) }
        let login = NewLogin(
            name: name,
            account: Account(user: "user", domain: "domain", schema: "schema"),
            pinned: PinnedEndpoint(
                endpoint: endpoint,
                pin: Self.pin
            )
        )
        _ = try await store.add(login, password: try Secret(copying: Array("password of \(name)".utf8), in: arena))
    }

    private var generation: String {
        get async { await store.status.generation.map { "\($0)" } ?? "none" }
    }
}
