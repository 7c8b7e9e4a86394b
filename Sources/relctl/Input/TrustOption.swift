// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Endpoints

extension ServerTrust: ExpressibleByArgument {}

/// By what a server is to be known.
struct TrustOption: ParsableArguments {
    @Option(
        help: """
            By what to know an https server: key, its TLS key; ca, the word of any certificate authority that is trusted \
            here for its host name. By default what it is pinned to, else its key.
            """
    )
    var trust: ServerTrust?

    /// The command that shows an endpoint with the same option.
    func show(_ endpoint: String) -> Hint {
        let hint: Hint = "relctl show \(endpoint)"
        return trust.map { Hint(command: "\(hint.command) --trust \($0.rawValue)") } ?? hint
    }
}
