// SPDX-License-Identifier: Apache-2.0

import Endpoints
import KeyringWire
package import Platform

/// The key provider for desktops: an item in the login keyring, accessed through the Secret Service.
///
/// A helper program accesses the item, with one process for each question. So GLib and its threads stay out of the
/// daemon, and if the keyring never answers, the helper is killed.
package struct SecretServiceProvider: KeyProvider {
    private static let keyByteCount = 32
    /// The only variables of the daemon's environment that the helper receives.
    private static let variables = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "LANG"]

    let helper: String
    let environment: [String]
    /// The timeout of one question if a user waits for the result. The keyring may prompt during this time.
    package var patience = Duration.seconds(30)
    /// The timeout of one question if no user waits, so that the keyring must not prompt: for example when the daemon
    /// starts.
    package var patienceUnattended = Duration.seconds(5)

    /// Makes a provider.
    ///
    /// - Parameter helper: the path of the program `relativityd-secret-service`.
    package init(helper: String, environment: Environment) {
        self.helper = helper
        self.environment = Self.variables.compactMap { name in environment[name].map { "\(name)=\($0)" } }
    }

    package var kind: KeyProviderKind { .secretService }

    package func probe(in arena: SecretArena) throws(CredentialError) {
        let nobody = try translated { () throws(PlatformError) in
            try SystemRandom().bytes(KeyringQuestion.storeIDByteCount)
        }
        try order(.probe, .probe, of: nobody, attended: false, in: arena)
    }

    package func makeKey(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        if let key = try find(.key, of: storeID, attended: true, in: arena) { return try checked(key) }
        let key = try translated { () throws(PlatformError) in
            try Secret(randomBytes: Self.keyByteCount, in: arena)
        }
        try store(key, as: .key, of: storeID, attended: true, in: arena)
        return key
    }

    package func key(for storeID: [UInt8], in arena: SecretArena) throws(CredentialError) -> Secret {
        try key(for: storeID, attended: false, in: arena)
    }

    package func key(
        for storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) -> Secret {
        guard let key = try find(.key, of: storeID, attended: attended, in: arena) else {
            throw unavailable(.keyring(.notFound, detail: ""))
        }
        return try checked(key)
    }

    package func removeKey(for storeID: [UInt8]) throws(CredentialError) {
        let arena = try translated { () throws(PlatformError) in try SecretArena(byteCount: 1) }
        for item in [KeyringItem.key, .anchor] { try order(.delete, item, of: storeID, attended: true, in: arena) }
    }

    private func checked(_ key: consuming Secret) throws(CredentialError) -> Secret {
        guard key.count == Self.keyByteCount else {
            throw .providerUnavailable(
                kind,
                reason: "the keyring's key is \(Counted(key.count, "byte")) long, not \(Self.keyByteCount)"
            )
        }
        return key
    }
}
