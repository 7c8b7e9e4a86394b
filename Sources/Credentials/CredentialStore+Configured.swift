// SPDX-License-Identifier: Apache-2.0

package import Endpoints

extension CredentialStore {
    /// Every login that can be told now, those of the administrator first, and why those of the vault are not among them.
    /// As `logins()`, it also tells what another daemon has added.
    package func loginsInReach() async -> (logins: [Login], missing: CredentialError?) {
        let configured = disk.options.configuredLogins.logins
        do throws(CredentialError) {
            _ = try open()
            await refresh()
            return (configured + (try open().logins), nil)
        } catch {
            return (configured, error)
        }
    }

    /// As `checkTrust()`, for one login: those that the administrator provides are not in the file.
    package func checkTrust(in login: Login) throws(CredentialError) {
        if !disk.options.configuredLogins.contains(login.id) { try checkTrust() }
    }

    /// A login as it is now; nil also while the vault is closed that has it. No use of the vault, and no look at its file.
    package func readableLogin(_ id: LoginID) -> Login? {
        if let login = (try? open())?.logins.first(where: { $0.id == id }) { return login }
        return disk.options.configuredLogins.logins.first { $0.id == id }
    }

    /// The pin that an endpoint's logins are bound to, where it can be told now: of the vault while it is unlocked, else of
    /// the administrator's logins. Reading it is no use of the vault, and no look at its file.
    package func readablePin(of endpoint: EndpointID) -> Pin? {
        if let pinned = try? pinned(endpoint) { return pinned.pin }
        return disk.options.configuredLogins.logins.first { $0.endpoint == endpoint }?.pin
    }

    /// Where an endpoint was when somebody agreed to its pin; nil while the vault is closed, and if it is not known.
    package func readableAgreedURL(of endpoint: EndpointID) -> String? {
        (try? pinned(endpoint))?.location?.url
    }

    /// The login of the vault with this name, to change or remove it.
    ///
    /// - Throws: `CredentialError.loginIsConfigured` if only the administrator has one of that name.
    package func ownLogin(named name: String) throws -> Login {
        let isConfigured = disk.options.configuredLogins.login(named: name) != nil
        do throws(CredentialError) {
            if let login = try open().logins.first(where: { $0.name == name }) { return login }
        } catch {
            throw isConfigured ? CredentialError.loginIsConfigured(name) : error
        }
        throw isConfigured ? CredentialError.loginIsConfigured(name) : CredentialError.noSuchLogin(name)
    }
}
