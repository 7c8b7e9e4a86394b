// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import LocalAPI

extension ImportedLoginRecord {
    init(_ login: ImportedLogin) {
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
            name: login.location?.name,
            url: login.location?.url,
            verdict: verdict,
            reason: reason,
            needsAgreement: login.needsAgreement
        )
    }
}
