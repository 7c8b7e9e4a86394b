// SPDX-License-Identifier: Apache-2.0

import Platform
import TestSupport
import Testing

@testable import Credentials

/// Stores whose key is in the keyring of the test's session bus.
struct SecretServiceFixture {
    static let tools: [Requirement] = [.program("dbus-daemon"), .program("dbus-send"), .program(Sources.python)]
    static let helper = Products.path(of: "relativityd-secret-service")

    let bus: SessionBus
    var stores: StoreFixture

    init() async throws {
        bus = try await SessionBus()
        stores = try StoreFixture()
        stores.options.keyProviders = [provider()]
    }

    /// - Parameter environment: the daemon's environment; nil for that of the bus.
    func provider(helper: String = helper, environment: [String: String]? = nil) -> SecretServiceProvider {
        var provider = SecretServiceProvider(helper: helper, environment: Environment(environment ?? bus.environment))
        provider.timeout = .milliseconds(1_500)
        provider.unattendedTimeout = .milliseconds(1_500)
        return provider
    }

    /// A vault in the keyring with one login, locked again.
    func createVault() async throws {
        let store = stores.store()
        try await store.load()
        try await store.create(.provider(.secretService))
        try await stores.add(1, to: store)
        await store.lock()
    }

    /// Makes the attempt of a row of the matrix.
    ///
    /// - Returns: the resulting error.
    func attempt(_ attempt: KeyringFault.Attempt) async throws -> CredentialError? {
        do {
            let store = stores.store()
            switch attempt {
            case .start:
                try await store.load()
                _ = try await store.unlockAutomatically()
            case .unlock:
                try await store.load()
                try await store.unlock()
            case .create:
                let empty = TemporaryDirectory()
                defer { withExtendedLifetime(empty) {} }
                var others = stores
                others.options.directory = empty.path(of: "data")
                let store = others.store()
                try await store.load()
                defer { #expect(empty.names(in: "data").allSatisfy { $0 != "vault.rcv" }, "no vault was made") }
                try await store.create(.provider(.secretService))
            case .probe:
                try await BlockingWork.run { [provider = provider(), arena = stores.arena] in
                    try provider.probe(in: arena)
                }
            }
            return nil
        } catch let error as CredentialError {
            return error
        }
    }
}
