// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import JSON
import Platform

/// An event for the audit log that has no number yet. Logins are named by ID, because their names contain user names.
package struct AuditEntry: Sendable, Hashable {
    /// The kind of event.
    package let event: AuditEvent
    /// The result of the action.
    package var result: AuditResult
    /// The endpoint that the event concerns.
    package let endpoint: EndpointID?
    /// The login that the event concerns.
    package let login: LoginID?
    /// The strength of the pin of the address that was used.
    package let strength: PinStrength?
    /// The process that caused the event; nil for the daemon itself.
    package let peer: AuditPeer?
    /// Additional members of the log's own events.
    var figures = JSONObject()

    /// Makes an entry.
    ///
    /// - Parameter peer: by default the process that caused this task.
    package init(
        _ event: AuditEvent,
        _ result: AuditResult = .done,
        endpoint: EndpointID? = nil,
        login: LoginID? = nil,
        strength: PinStrength? = nil,
        peer: AuditPeer? = .current
    ) {
        self.event = event
        self.result = result
        self.endpoint = endpoint
        self.login = login
        self.strength = strength
        self.peer = peer
    }

    /// Makes an entry for a stored login.
    ///
    /// - Parameter pin: that of the address that was used; nil for the login's own.
    package init(_ event: AuditEvent, _ result: AuditResult = .done, of login: Login, proving pin: Pin? = nil) {
        let strength = (pin ?? login.pin).strength
        self.init(event, result, endpoint: login.endpoint, login: login.id, strength: strength)
    }

    init(_ event: AuditEvent, figures: JSONObject) {
        self.init(event, peer: nil)
        self.figures = figures
    }

    /// Makes an entry for a grant that was added or revoked.
    ///
    /// - Parameter change: `added` or `revoked`.
    package static func grant(
        _ id: String,
        _ change: String,
        endpoint: EndpointID,
        login: LoginID,
        strength: PinStrength?
    ) -> AuditEntry {
        var entry = AuditEntry(.grantChanged, endpoint: endpoint, login: login, strength: strength)
        entry.figures = ["grant": .string(id), "change": .string(change)]
        return entry
    }

    /// Makes an entry for a call that a grant does not permit.
    package static func refusal(byGrant id: String, endpoint: EndpointID, login: LoginID) -> AuditEntry {
        var entry = AuditEntry(.grantRefused, .refused, endpoint: endpoint, login: login)
        entry.figures = ["grant": .string(id)]
        return entry
    }

    func with(_ result: AuditResult) -> AuditEntry {
        var entry = self
        entry.result = result
        return entry
    }
}

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
    /// A program made a call that its grant does not permit.
    case grantRefused = "grant.refused"
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

/// The process on whose behalf a call runs.
package struct CallingProcess: Sendable, Hashable {
    /// The process ID.
    package let pid: Int32
    /// The process that made the call and claimed to act for `pid`; nil if `pid` made the call, as reported by the
    /// kernel.
    package let claimedBy: Int32?
    /// The name of another program that it claims to work for: printable ASCII.
    package var client: String?

    /// A process with these values; by default one that made the call.
    package init(pid: Int32, claimedBy: Int32? = nil) {
        self.pid = pid
        self.claimedBy = claimedBy
    }
}

/// The calling process, as reported by the kernel. This is a claim for the log, never a proof of identity: the
/// process ID may have been reused, and the socket may have been passed on.
package struct AuditPeer: Sendable, Hashable {
    private static let maximumCgroupColumns = 200
    private static let maximumCgroupBytes = 4 << 10

    /// The process ID.
    package let pid: Int32
    /// As in `CallingProcess`.
    package let claimedBy: Int32?
    /// As in `CallingProcess`.
    package let client: String?
    /// The control group, as printable text; nil if the process has exited.
    package let cgroup: String?

    /// The process on whose behalf the current task runs. It is set for each call of the local API.
    @TaskLocal package static var caller: CallingProcess?

    /// The calling process. Its control group is looked up now.
    package static var current: AuditPeer? { caller.map { AuditPeer($0) } }

    /// Looks up the control group of a process.
    package init(_ process: CallingProcess) {
        pid = process.pid
        claimedBy = process.claimedBy
        client = process.client
        let text = TextFile.read("/proc/\(pid)/cgroup", maximumBytes: Self.maximumCgroupBytes)
        // The last field of the first line of cgroup v2: "0::/user.slice/…".
        let path = text?.split(separator: "\n").first.flatMap { $0.split(separator: ":", maxSplits: 2).last }
        cgroup = path.map { Printable(String($0), columns: Self.maximumCgroupColumns).description }
    }
}
