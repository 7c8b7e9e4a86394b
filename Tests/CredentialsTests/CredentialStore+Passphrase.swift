// SPDX-License-Identifier: Apache-2.0

import Platform

@testable import Credentials

/// Shortcuts for tests with another subject.
extension CredentialStore {
    func create(provider: KeyProviderKind, passphrase: consuming Secret?, label: String = "") async throws {
        let shared = SharedSecret(passphrase)
        try await create(shared.map { .passphrase($0) } ?? .provider(provider), label: label)
    }

    func unlock(passphrase: consuming Secret?) async throws {
        guard let shared = SharedSecret(passphrase) else { return try await unlock() }
        try await unlock(.passphrase(shared))
    }
}
