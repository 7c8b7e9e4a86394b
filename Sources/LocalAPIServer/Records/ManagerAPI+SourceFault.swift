// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension ManagerAPI.SourceFault {
    init(_ fault: SourceFault) {
        self.init(
            // Both have the same words: a test compares them.
            code: Code(rawValue: fault.code.rawValue) ?? .notStarted,
            servers: fault.servers,
            user: fault.user,
            path: fault.path,
            number: fault.number.map(Int64.init),
            detail: fault.detail
        )
    }
}
