// SPDX-License-Identifier: Apache-2.0

import LocalAPI

extension DaemonClient {
    /// A connection for what may take long: a person at a terminal is told so after a second, once for each call.
    static func patient() throws -> DaemonClient {
        let client = try DaemonClient()
        guard Terminal.errorIsTerminal else { return client }
        client.onDelay = { Terminal.writeError("relctl: waiting for an answer; Ctrl-C ends the wait\n") }
        return client
    }
}
