// SPDX-License-Identifier: Apache-2.0

package import KeyringWire
package import Platform

/// The items of a vault in the keyring. All of these calls throw `CredentialError.providerUnavailable` with the
/// reason.
extension SecretServiceProvider {
    /// Looks up an item.
    ///
    /// - Parameter attended: whether a user waits for the result, so that the keyring may ask for its password.
    /// - Returns: nil if the keyring, unlocked, has no such item.
    package func find(
        _ item: KeyringItem,
        of storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) -> Secret? {
        let question = KeyringQuestion(.lookup, item, of: storeID, mayAsk: attended)
        do throws(KeyringRun.Failure) {
            return try run(attended: attended).answer(question, in: arena)
        } catch {
            if case .keyring(.notFound, _) = error { return nil }
            throw unavailable(error)
        }
    }

    /// Replaces the bytes of an item. The helper has read them back when this returns.
    ///
    /// - Parameter bytes: 1 to `KeyringItem.maximumByteCount` bytes.
    package func store(
        _ bytes: borrowing Secret,
        as item: KeyringItem,
        of storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) {
        let question = KeyringQuestion(.store, item, of: storeID, mayAsk: attended, bodyByteCount: bytes.count)
        do throws(KeyringRun.Failure) {
            _ = try bytes.withBytes { bytes throws(KeyringRun.Failure) in
                try run(attended: attended).answer(question, bytes, in: arena)
            }
        } catch {
            throw unavailable(error)
        }
    }

    /// Sends a question whose answer has no bytes.
    ///
    /// - Parameter attended: as in `find`.
    func order(
        _ verb: KeyringVerb,
        _ item: KeyringItem,
        of storeID: [UInt8],
        attended: Bool,
        in arena: SecretArena
    ) throws(CredentialError) {
        do throws(KeyringRun.Failure) {
            let question = KeyringQuestion(verb, item, of: storeID, mayAsk: attended)
            _ = try run(attended: attended).answer(question, in: arena)
        } catch {
            throw unavailable(error)
        }
    }

    func unavailable(_ failure: KeyringRun.Failure) -> CredentialError {
        if case .local(let error) = failure { return CredentialError(error) }
        return .providerUnavailable(kind, reason: failure.description)
    }

    private func run(attended: Bool) -> KeyringRun {
        KeyringRun(helper: helper, environment: environment, patience: attended ? patience : patienceUnattended)
    }
}
