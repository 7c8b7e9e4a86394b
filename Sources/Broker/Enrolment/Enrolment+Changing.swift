// SPDX-License-Identifier: Apache-2.0

package import Credentials
import Endpoints
import Registry

extension Enrolment {
    /// Changes a login that keeps its password. Unless only its name changes, it is tried first if `isTried`, and its
    /// sessions end.
    package func change(_ login: Login, _ edit: LoginEdit, isTried: Bool) async throws -> Login {
        let new = try await checked(edit, of: login)
        guard !edit.isRename else { return try await store.edit(login, edit) }
        if isTried {
            let endpoint = try await broker.endpoint(of: login)
            try await broker.connector.tryLogin(new, at: endpoint, audit: store.audit) { use in
                try await store.withPassword(of: login.id, pin: login.pin, use)
            }
        }
        let changed = try await store.edit(login, edit)
        // The next adapter logs in as the login is now.
        await broker.forget(login.id)
        return changed
    }

    /// Changes a login and its password. It is tried first if the source wants that, and its sessions end.
    package func change(_ login: Login, _ edit: LoginEdit, from source: inout some PasswordSource) async throws -> Login
    {
        let new = try await checked(edit, of: login)
        let locks = await store.locks
        let endpoint = source.isTried ? try await broker.endpoint(of: login) : nil
        let password = try await password(for: new, at: endpoint, from: &source, since: locks)
        let changed = try await store.edit(login, edit, password: password)
        await broker.forget(login.id)
        return changed
    }

    /// The login as it would be.
    private func checked(_ edit: LoginEdit, of login: Login) async throws -> NewLogin {
        try await store.checkTrust()
        let new = edit.applied(to: login)
        try new.check()
        if new.name != login.name { try await checkFree(new.name) }
        return new
    }
}
