// SPDX-License-Identifier: Apache-2.0

/// The events of the audit log. The raw value is written to the file (docs/audit.md) and never changes its meaning.
package enum AuditEvent: String, Sendable, Hashable, CaseIterable {
    /// The daemon was started.
    case daemonStarted = "daemon.started"
    /// A vault was made.
    case vaultMade = "vault.made"
    /// A backup replaced the vault. As a new vault it has its own audit key.
    case vaultRestored = "vault.restored"
    /// The vault was unlocked.
    case vaultUnlocked = "vault.unlocked"
    /// An attempt to open the vault failed.
    case vaultRefused = "vault.refused"
    /// The vault was locked: the last line under its key. Later lines are written without the key.
    case vaultLocked = "vault.locked"
    case vaultDegraded = "vault.degraded"
    /// The user accepted a vault file that an anchor had raised suspicion against.
    case vaultAccepted = "vault.accepted"
    /// The logins were exported.
    case vaultExported = "vault.exported"
    /// Logins were imported.
    case vaultImported = "vault.imported"
    /// An import was only tried. It reveals whether passwords of a file are those of the vault.
    case vaultCompared = "vault.compared"
    /// A key slot was added, changed or removed.
    case slotChanged = "slot.changed"
    /// The data key was replaced.
    case keyRotated = "key.rotated"
    /// A grant was made or revoked.
    case grantChanged = "grant.changed"
    case loginAdded = "login.added"
    case loginEdited = "login.edited"
    case loginRemoved = "login.removed"
    case loginTested = "login.tested"
    /// The password of a login was sent to its server, or was about to be.
    case passwordUsed = "password.used"
    /// An endpoint was pinned.
    case pinSet = "pin.set"
    /// The pin of an endpoint was changed.
    case pinChanged = "pin.changed"
    /// The pin of an endpoint was removed.
    case pinRemoved = "pin.removed"
    /// A server showed a different identity from the one that its logins are bound to.
    case conflictSeen = "conflict.seen"
    /// A session was made, and the caller received its ClientID.
    case sessionExported = "session.exported"
    /// An adapter was opened.
    case adapterOpened = "adapter.opened"
    /// An adapter was closed.
    case adapterEnded = "adapter.ended"
    /// A process of another user connected to the socket.
    case peerRefused = "peer.refused"

    // Events of the log itself. Only `AuditChain` and `AuditWriter` make them.

    /// The first line under the vault's key after lines without it.
    case logBound = "log.bound"
    /// The first line of a file that follows another file.
    case logRotated = "log.rotated"
    /// An incomplete line that a crash had left was cut off.
    case logTorn = "log.torn"
    /// Events before this line could not be written.
    case logLost = "log.lost"
}

/// The result of an audited event.
package enum AuditResult: String, Sendable, Hashable, CaseIterable {
    /// The action succeeded.
    case done
    /// Refused by the vault, the server or the daemon: wrong key, wrong password, other identity.
    case refused
    /// Failed for an external reason: the disk, the network.
    case failed
}
