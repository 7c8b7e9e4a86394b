// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import JSON

/// One decision for the audit log, before it has a place in it. It names logins by id: their names hold user names.
package struct AuditEntry: Sendable, Hashable {
    package let event: AuditEvent
    package var result: AuditResult
    package let endpoint: EndpointID?
    package let login: LoginID?
    /// The strength of the pin.
    package let strength: PinStrength?
    package let peer: AuditPeer?
    /// Figures of the log's own events.
    var figures = JSONObject()

    /// - Parameter peer: by default the one that caused this task.
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

    /// A line about a stored login.
    package init(_ event: AuditEvent, _ result: AuditResult = .done, of login: Login) {
        self.init(event, result, endpoint: login.endpoint, login: login.id, strength: login.pin.strength)
    }

    init(_ event: AuditEvent, figures: JSONObject) {
        self.init(event, peer: nil)
        self.figures = figures
    }

    /// A grant of calls was made or taken back.
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

    func with(_ result: AuditResult) -> AuditEntry {
        var entry = self
        entry.result = result
        return entry
    }
}
