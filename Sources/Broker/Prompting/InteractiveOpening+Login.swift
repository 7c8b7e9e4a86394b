// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

extension InteractiveOpening {
    private var enrolment: Enrolment { Enrolment(broker: broker) }

    /// Asks for a login, tries it, and stores it, as `relctl login add` does.
    func addLogin(to endpoint: Endpoint, _ asking: Asking) async throws {
        var source = PromptedLogin(at: endpoint, self, asking, since: await store.locks)
        _ = try await enrolment.add(to: endpoint, from: &source)
    }

    /// Asks for another password of a login, tries it, and stores it, as `relctl login edit` does.
    func replacePassword(of name: String, _ asking: Asking) async throws {
        let login = try await store.ownLogin(named: name)
        let endpoint = try await broker.endpoint(of: login)
        let locks = await store.locks
        var source = PromptedPassword(replacingThatOf: login, at: endpoint, self, asking, since: locks)
        _ = try await enrolment.change(login, LoginEdit(), from: &source)
    }
}
