// SPDX-License-Identifier: Apache-2.0

/// Why the helper could not do what it was asked.
package enum KeyringFailure: UInt8, Sendable, CaseIterable {
    case noBus = 1
    case noService = 2
    case locked = 3
    /// A person did not give the keyring's password.
    case dismissed = 4
    case notFound = 5
    /// Several items have the attributes of ours; none of them is chosen.
    case duplicates = 6
    case noDefaultCollection = 7
    /// The default collection is the one that is forgotten at the end of the session.
    case sessionCollection = 8
    /// Secrets would cross the bus in the open.
    case plainSession = 9
    /// What was read after storing is not what was stored.
    case notKept = 10
    case vanished = 11
    case noAnswer = 12
    /// The item is larger than any of ours.
    case tooLarge = 13
    /// An error of the other side that is none of the above.
    case refused = 14
    /// The daemon and the helper are of different versions.
    case badQuestion = 15
    /// The helper could not harden itself or had no memory for the secret.
    case helper = 16
}
