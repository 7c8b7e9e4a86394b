// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import NIOCore
import NIOPosix
import Platform
import TestSupport

/// Stores in one directory of the test, with the lowest accepted cost of scrypt.
struct StoreFixture {
    let temporary = TemporaryDirectory()
    let arena: SecretArena
    var options: VaultOptions

    init() throws {
        arena = try SecretArena()
        options = VaultOptions(directory: temporary.path(of: "data"))
        options.cost = .minimum
        options.exportCost = .minimum
    }

    func store() -> CredentialStore {
        CredentialStore(options, loop: MultiThreadedEventLoopGroup.singleton.next(), pool: .singleton)
    }

    func secret(_ text: String) throws -> Secret {
        try Secret(copying: Array(text.utf8), in: arena)
    }

    /// A new vault with the passphrase `open sesame`, unlocked.
    func created() async throws -> CredentialStore {
        let store = store()
        try await store.load()
        try await store.create(provider: .passphrase, passphrase: try secret("open sesame"), label: "test")
        return store
    }

    /// Another store for the same vault, unlocked.
    func opened() async throws -> CredentialStore {
        let store = store()
        try await store.load()
        try await store.unlock(passphrase: try secret("open sesame"))
        return store
    }

    @discardableResult
    func add(_ index: Int, to store: CredentialStore) async throws -> Login {
        try await store.add(try VaultFixture.login(index), password: try secret("password \(index)"))
    }

    func password(of login: Login, in store: CredentialStore) async throws -> String {
        try await store.withPassword(of: login.id, pin: login.pin) { String(decoding: $0, as: UTF8.self) }
    }

    var vaultPath: String { temporary.path(of: "data/vault.rcv") }

    /// Names in the vault's directory.
    var names: [String] { temporary.names(in: "data") }
}
