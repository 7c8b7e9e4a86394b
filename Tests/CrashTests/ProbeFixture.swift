// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import NIOPosix
import Platform
import TestSupport
import Testing

@testable import Credentials

/// A vault that opens with a key in a file, so that no test waits for scrypt, and programs that use it.
struct ProbeFixture {
    /// The suffix of files that an interrupted save may leave, and that the next start removes.
    static let temporarySuffix = ".tmp"

    let temporary = TemporaryDirectory()
    /// Whether the vault has an anchor and an audit log.
    private let keepsState: Bool
    private let key = (0..<32).map { UInt8($0 * 5 & 0xFF) }

    init(keepingState: Bool = false) {
        keepsState = keepingState
        mkdir(credentials, 0o700)
        // A probe that was killed does not read its commands.
        signal(SIGPIPE, SIG_IGN)
        temporary.write(key, to: "credentials/relativityd.vault-key", mode: 0o400)
    }

    var data: String { temporary.path(of: "data") }
    var state: String { temporary.path(of: "state") }
    var credentials: String { temporary.path(of: "credentials") }
    var vault: [UInt8] { bytes(of: "vault.rcv") }
    var names: [String] { temporary.names(in: "data") }
    var temporaryNames: [String] { names.filter { $0.hasSuffix(Self.temporarySuffix) } }
    var command: [String] { [Products.path(of: "vault-probe"), data, credentials] + (keepsState ? [state] : []) }

    func bytes(of name: String) -> [UInt8] { temporary.content(of: "data/" + name) }

    /// Replaces all files in the directories of the vault and of the state with these.
    func restore(_ files: [String: [UInt8]]) {
        for path in [data, state] { mkdir(path, 0o700) }
        for name in allNames { unlink(temporary.path(of: name)) }
        for (name, bytes) in files { temporary.write(bytes, to: name) }
    }

    /// The current files, for `restore`, by their path in the fixture's directory.
    var files: [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: allNames.map { ($0, temporary.content(of: $0)) })
    }

    private var allNames: [String] {
        ["data", "state"].flatMap { directory in temporary.names(in: directory).map { directory + "/" + $0 } }
    }

    /// Makes a vault with these logins.
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

    /// The findings of a new process of the daemon.
    struct Sight: Equatable {
        let generation: UInt64?
        let logins: Set<String>
    }

    /// Opens the vault as at a start, which removes the remains of an interrupted save. The audit log must be intact,
    /// and the file must not be suspected.
    func open() async throws -> Sight {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        var options = VaultOptions(directory: data)
        options.keyProviders = [CredentialsDirectory(path: credentials)]
        if keepsState {
            options.stateDirectory = state
            options.audit = AuditLog(directory: state, loop: loop, pool: .singleton)
        }
        let store = CredentialStore(options, loop: loop, pool: .singleton)
        try await store.load()
        #expect(try await store.unlockAutomatically())
        #expect(await store.status.anchor?.suspicion == nil)
        #expect(try await store.verifyAudit().fault == nil)
        return Sight(
            generation: await store.status.generation,
            logins: Set(try await store.logins().map(\.name))
        )
    }
}
