// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import LocalAPI

extension CredentialsAPI.ImportedLogin {
    /// - Parameter endpoint: as this machine knows it, where it does: what the file says of its place may not be true.
    init(_ login: ImportedLogin, at endpoint: Endpoint?) {
        var reason: String?
        let verdict: Verdict
        switch login.verdict {
        case .added: verdict = .added
        case .unchanged: verdict = .unchanged
        case .conflict(let why):
            verdict = .conflict
            reason = why
        }
        self.init(
            login: login.name,
            endpoint: login.endpoint.text,
            name: endpoint?.name ?? login.location?.name,
            url: endpoint?.url.description ?? login.location?.url,
            verdict: verdict,
            reason: reason,
            needsAgreement: login.needsAgreement
        )
    }
}
