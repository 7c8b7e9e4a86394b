// SPDX-License-Identifier: Apache-2.0

import Endpoints
import KeyringWire
package import Platform

/// The key provider of desktops: an item of the login keyring, by way of the Secret Service.
///
/// A helper program asks it, one process for one question: GLib and its threads stay out of the daemon, and a keyring
/// that never answers ends with the helper, which is killed.
package struct SecretServiceProvider: KeyProvider {
    private static let keyByteCount = 32
    /// Of the daemon's environment, all that the helper gets.
    private static let variables = ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "LANG"]

    let helper: String
    let environment: [String]
    /// How long one question may take where a person waits for the answer, and may be asked something meanwhile.
    package var patience = Duration.seconds(30)
    /// The same where nobody waits, and nobody is asked: the start of the daemon, for one.
    package var patienceUnattended = Duration.seconds(5)

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
