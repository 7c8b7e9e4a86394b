// SPDX-License-Identifier: Apache-2.0

import Endpoints
import LocalAPI

extension RegistryAPI.Reason {
    /// A part of a sentence, safe for a terminal.
    var text: Printable {
        let reason = StateReason(
            // Both have the same words: a test compares them.
            StateReason.Code(rawValue: code.rawValue) ?? .error,
            host: host,
            port: port.flatMap { UInt16(exactly: $0) },
            shown: shown,
            path: path,
            errno: errno.flatMap { Int32(exactly: $0) },
            detail: detail
        )
        return Printable(again: "\(reason)")
    }
}

extension RegistryAPI.Probe {
    /// Why the server was not reached, or is another one.
    var why: Printable { reason?.text ?? Printable("it gives no reason") }
}
