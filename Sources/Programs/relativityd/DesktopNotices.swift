// SPDX-License-Identifier: Apache-2.0

import Configuration
import Credentials
import Endpoints
import Logging
import Platform
import Registry

/// Shows on the desktop what happens without a command of the user: the vault is locked, a server refuses a login, or
/// another server answers in its place.
struct DesktopNotices: Sendable {
    private let notifier: DesktopNotifier
    private let entries: AsyncStream<AuditEntry>
    private let continuation: AsyncStream<AuditEntry>.Continuation

    /// - Returns: nil unless the configuration turns notices on.
    init?(_ configuration: DaemonConfiguration, environment: Environment, logger: Logger) {
        guard configuration.notifiesOnDesktop else { return nil }
        let standard = environment["XDG_RUNTIME_DIR"].map { "unix:path=\($0)/bus" }
        notifier = DesktopNotifier(address: environment["DBUS_SESSION_BUS_ADDRESS"] ?? standard ?? "") { error in
            logger.notice("a desktop notification was not shown", metadata: ["error": "\(error)"])
        }
        (entries, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
    }

    /// Takes an entry of the audit log, in any thread.
    func note(_ entry: AuditEntry) {
        if Subject(entry) != nil { continuation.yield(entry) }
    }

    /// Shows notices until the task is cancelled.
    func run(_ registry: EndpointRegistry) async {
        for await entry in entries {
            guard let subject = Subject(entry) else { continue }
            var name = ""
            if let id = entry.endpoint { name = await registry.endpoint(id)?.name ?? id.text }
            notifier.show(subject.notice(endpoint: name, id: entry.endpoint))
        }
        notifier.stop()
    }

    /// The events that are shown.
    enum Subject: String {
        case vaultLocked, loginRefused, conflict

        /// nil if an entry is not shown: other events, and those that the user's own command causes and reports.
        init?(_ entry: AuditEntry) {
            switch entry.event {
            case .vaultLocked where entry.peer == nil: self = .vaultLocked
            // Without a stored login it is the trial of a new one, or of a new password.
            case .passwordUsed where entry.result == .refused && entry.login != nil: self = .loginRefused
            case .conflictSeen: self = .conflict
            default: return nil
            }
        }

        /// - Parameter endpoint: the name of the server, which may be untrusted.
        func notice(endpoint: String, id: EndpointID?) -> DesktopNotice {
            let name = Printable(endpoint, columns: 60).description
            let key = "\(rawValue) \(id?.text ?? "")"
            return switch self {
            case .vaultLocked:
                DesktopNotice(
                    key: key,
                    summary: "The vault is locked",
                    body: "relativityd has locked it. See 'relctl vault status'."
                )
            case .loginRefused:
                DesktopNotice(
                    key: key,
                    summary: "A login was refused",
                    body: "The server \(name) refused a stored login. See 'relctl login list'."
                )
            case .conflict:
                DesktopNotice(
                    key: key,
                    summary: "Another server answers",
                    body: "The server \(name) is not the one that the login is bound to. Nothing was sent. "
                        + "See 'relctl list'."
                )
            }
        }
    }
}
