// SPDX-License-Identifier: Apache-2.0

import Glibc
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Credentials

/// A vault that a key in a file opens, so that no test waits for scrypt, and programs that work on it.
struct ProbeFixture {
    /// What an interrupted save may leave, and the next start removes.
    static let temporarySuffix = ".tmp"

    let temporary = TemporaryDirectory()
    private let key = (0..<32).map { UInt8($0 * 5 & 0xFF) }

    init() {
        mkdir(credentials, 0o700)
        // A probe that was killed does not read what it is told.
        signal(SIGPIPE, SIG_IGN)
        temporary.write(key, to: "credentials/relativityd.vault-key", mode: 0o400)
    }

    var data: String { temporary.path(of: "data") }
    var credentials: String { temporary.path(of: "credentials") }
    var vault: [UInt8] { bytes(of: "vault.rcv") }
    var names: [String] { temporary.names(in: "data") }
    var temporaryNames: [String] { names.filter { $0.hasSuffix(Self.temporarySuffix) } }
    var command: [String] { [Products.path(of: "vault-probe"), data, credentials] }

    func bytes(of name: String) -> [UInt8] { temporary.content(of: "data/" + name) }

    /// Puts these files, and no others, into the vault's directory.
    func restore(_ files: [String: [UInt8]]) {
        mkdir(data, 0o700)
        for name in names { unlink(data + "/" + name) }
        for (name, bytes) in files { temporary.write(bytes, to: "data/" + name) }
    }

    /// The files as they are now, for `restore`.
    var files: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, bytes(of: $0)) })
    }

    /// A new vault with these logins.
    ///
    /// - Returns: its files.
    func created(logins: [String]) async throws -> [String: [UInt8]] {
        let probe = try ProbeSession(command)
        #expect(await probe.send("create") == .ok("1"))
        for name in logins {
            guard case .ok = await probe.send("add \(name)") else { throw Unexpected() }
        }
        probe.end()
        return files
    }

    struct Unexpected: Error {}

    /// What a new process of the daemon finds.
    struct Sight: Equatable {
        let generation: UInt64?
        let logins: Set<String>
    }

    /// Opens the vault as at a start, which removes what an interrupted save left.
    func open() async throws -> Sight {
        var options = VaultOptions(directory: data)
        options.keyProviders = [CredentialsDirectory(path: credentials)]
        let store = CredentialStore(options, loop: MultiThreadedEventLoopGroup.singleton.next(), pool: .singleton)
        try await store.load()
        #expect(try await store.unlockAutomatically())
        return Sight(
            generation: await store.status.generation,
            logins: Set(try await store.logins().map(\.name))
        )
    }
}
