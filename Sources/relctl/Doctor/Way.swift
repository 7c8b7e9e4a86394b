// SPDX-License-Identifier: Apache-2.0

import LocalAPI

/// The way from the name of a server to a login that works there, as far as it could be gone without sending a password.
struct Way {
    enum Place {
        case known(RegistryAPI.Endpoint)
        case unknown
        /// Several have the name: their ids.
        case ambiguous([String])
    }

    /// As it was typed.
    var asked: String
    var place: Place
    /// nil where the daemon gives no answer.
    var probe: RegistryAPI.Probe?
    /// Who answers there now; nil where nobody tells.
    var identity: RegistryAPI.Identity?
    /// What the endpoint is pinned to; nil where it is not, and while the vault is closed.
    var pin: CredentialsAPI.Pin?
    /// Those of the endpoint, as far as they can be told.
    var logins: [CredentialsAPI.Login] = []
    /// Which one was asked for, by whom.
    var chosen: ChosenLogin?
    /// When the server refused the login that would be used, if that is the last that is known of it: seconds since 1970.
    var refusedAt: Int64?
    /// What came of a login that was asked for; nil where none was.
    var trial: Trial?

    struct Trial {
        var steps: [CredentialsAPI.Step]
        var error: DaemonError.Code?
    }

    /// The one of `logins` that would be used; nil where that is open.
    var login: CredentialsAPI.Login? {
        if let chosen, let login = logins.first(where: { $0.name == chosen.name }) { return login }
        return logins.count == 1 && chosen?.chooser != .option ? logins.first : nil
    }
}
