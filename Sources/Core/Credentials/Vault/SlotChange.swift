// SPDX-License-Identifier: Apache-2.0

package import Platform

/// A change of the key slots, which is one save. A slot is named by its label, or by the first digits of its ID.
package enum SlotChange: Sendable {
    /// Adds a slot.
    case add(UnlockInput, label: String = "")
    /// Removes a slot, the file of the save before, and the key that a provider stores for the slot.
    ///
    /// - Parameter isForced: permits to remove the last slot that opens the vault on another machine.
    case remove(String, isForced: Bool = false)
    /// Wraps the data key again for the secret of a slot, with a fresh salt and the current scrypt cost.
    ///
    /// - Parameter presenting: its passphrase or recovery code; nil if its key is stored outside the vault.
    case rewrap(String, presenting: SharedSecret?)
    /// Changes the label of a slot.
    case label(String, String)
    /// Replaces the passphrase slot that `from` opens by a slot with its own ID for `to`. Older copies of the file
    /// still open with `from`.
    case passphrase(from: SharedSecret, to: SharedSecret)
    /// Replaces the data key, and seals every secret again under it. A key that was taken from an older copy of the
    /// file does not open the new file. Other processes that have the vault open get `CredentialError.conflict` at
    /// their next save.
    ///
    /// - Parameters:
    ///   - presenting: the secret of every slot with a passphrase or recovery code, by the slot's name.
    ///   - dropping: the names of slots that are removed.
    ///   - isForced: as in `remove`.
    case rotate(presenting: [(slot: String, secret: SharedSecret)], dropping: [String] = [], isForced: Bool = false)

    var event: AuditEvent { if case .rotate = self { .keyRotated } else { .slotChanged } }

    /// Whether the user types a secret that opens a slot, so that guesses must be slowed down.
    var presentsSecret: Bool {
        switch self {
        case .add, .remove, .label: false
        case .rewrap(_, let secret): secret != nil
        case .passphrase: true
        case .rotate(let secrets, _, _): !secrets.isEmpty
        }
    }

    /// A secret that no longer opens a slot would still open the old file.
    var previous: PreviousFile {
        switch self {
        case .add, .label: .replaced
        case .remove, .rewrap, .passphrase, .rotate: .removed
        }
    }
}
