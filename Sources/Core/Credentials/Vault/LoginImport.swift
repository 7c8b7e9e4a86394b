// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// The change that imports the logins of another vault. It never replaces anything. It may be applied more than once,
/// to a vault that has changed since it was made.
struct LoginImport: Sendable {
    let file: OpenVault
    /// The IDs on this machine of the endpoints in the file. An endpoint that is not listed keeps its ID.
    let endpoints: [EndpointID: EndpointID]
    /// The IDs of the new logins, as many as the file has logins.
    let ids: [LoginID]

    /// Adds the logins that `payload` does not have yet.
    ///
    /// - Returns: the result for each login of the file, in its order.
    @discardableResult
    func apply(
        _ vault: OpenVault,
        _ payload: inout VaultPayload,
        random: any RandomSource
    ) throws(CredentialError) -> [ImportedLogin] {
        var results: [ImportedLogin] = []
        for (entry, id) in zip(file.payload.entries, ids) {
            let source = try file.pinned(of: entry)
            let endpoint = endpoints[entry.endpoint] ?? entry.endpoint
            let verdict = try verdict(of: entry, source.pin, at: endpoint, in: vault, payload)
            if verdict == .added {
                // The permission for plain text was given for another network, and the pin on another machine.
                let pinned = PinnedEndpoint(
                    endpoint: endpoint,
                    pin: source.pin,
                    isVerified: false,
                    location: source.location
                )
                if !payload.pins.contains(where: { $0.endpoint == endpoint }) { try payload.append(pin: pinned) }
                // The command was agreed to on another machine, or by the author of a hostile file.
                let command = entry.password.command.map { PasswordCommand($0.command, isAgreed: false) }
                try payload.append(
                    NewLogin(name: entry.name, account: entry.account, pinned: pinned, command: command),
                    as: id,
                    password: try file.secret(of: entry, pin: source.pin),
                    created: entry.created,
                    in: vault,
                    random: random
                )
            }
            let pinned = payload.pins.first { $0.endpoint == endpoint }
            results.append(
                ImportedLogin(
                    name: entry.name,
                    endpoint: endpoint,
                    location: source.location,
                    command: entry.password.command?.command,
                    needsAgreement: verdict == .added && pinned?.isVerified == false,
                    verdict: verdict
                )
            )
        }
        return results
    }

    private func verdict(
        of entry: VaultEntry,
        _ pin: Pin,
        at endpoint: EndpointID,
        in vault: OpenVault,
        _ payload: VaultPayload
    ) throws(CredentialError) -> ImportedLogin.Verdict {
        let pinned = payload.pins.first { $0.endpoint == endpoint }
        if let pinned, !pinned.pin.isSame(as: pin) {
            return .conflict(.otherIdentity)
        }
        guard let mine = payload.entry(named: entry.name) else {
            guard payload.entries.count < VaultLimits.records else {
                throw .full(.logins, limit: VaultLimits.records)
            }
            return .added
        }
        guard mine.endpoint == endpoint else {
            return .conflict(.otherEndpoint)
        }
        let (own, other) = (mine.account, entry.account)
        guard own.user == other.user, own.domain == other.domain, own.schema == other.schema else {
            return .conflict(.otherUser)
        }
        guard own == other else { return .conflict(.otherKeys) }
        guard mine.password.command?.command == entry.password.command?.command else {
            return .conflict(.otherCommand)
        }
        if let own = try vault.secret(of: mine, pin: pin), let other = try file.secret(of: entry, pin: pin),
            !own.secret.isEqual(to: other.secret)
        {
            return ImportedLogin.otherPassword
        }
        return .unchanged
    }
}

/// The result of importing one login of the file, or of trying to.
package struct ImportedLogin: Sendable, Hashable {
    /// The result of an import for one login.
    package enum Verdict: Sendable, Hashable {
        /// The login is new here. Its endpoint's pin is trusted only if this vault has the same pin.
        case added
        /// The vault already has the same login.
        case unchanged
        /// The vault has a different login in its place and keeps it.
        case conflict(ImportConflict)
    }

    /// The stored password differs from the one in the file. The result reveals to the caller that a guess at the
    /// stored password was wrong.
    static let otherPassword = Verdict.conflict(.otherPassword)

    /// The name of the login.
    package let name: String
    /// The endpoint on this machine that the login belongs to.
    package let endpoint: EndpointID
    /// The name and URL of the endpoint, if the file contains them.
    package let location: EndpointLocation?
    /// The command that prints the password; nil if the password is stored. If the login was added, it does not run
    /// before the user has agreed to it.
    package let command: SecretCommand?
    /// Whether the user must verify the endpoint's pin before the login can be used.
    package internal(set) var needsAgreement: Bool
    /// The result for this login.
    package internal(set) var verdict: Verdict
}
