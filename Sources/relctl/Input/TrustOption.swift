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

    /// As it was typed, behind a space.
    var text: String { trust.map { " --trust \($0.rawValue)" } ?? "" }
}
