// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension RegistryAPI.Reason {
    init(_ reason: StateReason) {
        self.init(
            // Both have the same words: a test compares them.
            code: Code(rawValue: reason.code.rawValue) ?? .error,
            host: reason.host,
            port: reason.port.map(Int64.init),
            shown: reason.shown,
            path: reason.path,
            errno: reason.errno.map(Int64.init),
            detail: reason.detail
        )
    }
}
