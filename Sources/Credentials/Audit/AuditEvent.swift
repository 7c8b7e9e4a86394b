// SPDX-License-Identifier: Apache-2.0

/// What the audit log tells of. The raw value stands in the file (docs/audit.md), and is never given another meaning.
package enum AuditEvent: String, Sendable, Hashable, CaseIterable {
    case daemonStarted = "daemon.started"
    case vaultMade = "vault.made"
    /// A backup was put in the place of the vault; as a new vault it has an audit key of its own.
    case vaultRestored = "vault.restored"
    case vaultUnlocked = "vault.unlocked"
    /// An attempt to open the vault that failed.
    case vaultRefused = "vault.refused"
    /// The last line under the vault's key; what follows is written without it.
    case vaultLocked = "vault.locked"
    case vaultDegraded = "vault.degraded"
    /// A person took a file for the vault that an anchor spoke against.
    case vaultAccepted = "vault.accepted"
    case vaultExported = "vault.exported"
    case vaultImported = "vault.imported"
    /// An import was tried out: it tells whether passwords of a file are those of the vault.
    case vaultCompared = "vault.compared"
    case slotChanged = "slot.changed"
    case keyRotated = "key.rotated"
    case grantChanged = "grant.changed"
    case loginAdded = "login.added"
    case loginEdited = "login.edited"
    case loginRemoved = "login.removed"
    case loginTested = "login.tested"
    /// The password of a login went out to its server, or was about to.
    case passwordUsed = "password.used"
    case pinSet = "pin.set"
    case pinChanged = "pin.changed"
    case pinRemoved = "pin.removed"
    /// A server showed another identity than the one that its logins are bound to.
    case conflictSeen = "conflict.seen"
    /// A session was made whose ClientID the caller knows.
    case sessionExported = "session.exported"
    case adapterOpened = "adapter.opened"
    case adapterEnded = "adapter.ended"
    /// A process of another user connected to the socket.
    case peerRefused = "peer.refused"

    // Of the log itself; only `AuditChain` and `AuditWriter` make these.

    /// The first line under the vault's key after lines without it.
    case logBound = "log.bound"
    /// The first line of a file that follows another.
    case logRotated = "log.rotated"
    /// A line that a crash had left unfinished was cut off.
    case logTorn = "log.torn"
    /// Lines before this one could not be written.
    case logLost = "log.lost"
}

/// What came of it.
package enum AuditResult: String, Sendable, Hashable, CaseIterable {
    case done
    /// By the vault, the server or us: wrong key, wrong password, another identity.
    case refused
    /// For a reason outside: the disk, the network.
    case failed
}
