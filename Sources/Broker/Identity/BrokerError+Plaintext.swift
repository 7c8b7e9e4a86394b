// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

extension BrokerError {
    init(_ refusal: PlaintextRefusal) {
        switch refusal {
        case .notPermitted:
            self = .plaintextNotAllowed(reason: "this was not allowed for the login")
        case .otherNetwork(let network):
            let here = network.map { "this one, \(HexText.encode($0))" } ?? "this one, which cannot be told"
            self = .plaintextNotAllowed(reason: "it was allowed on another network than \(here)")
        case .otherInterface(let permitted, let found):
            self = .plaintextNotAllowed(reason: Self.elsewhere(permitted, found))
        case .ownerUnknown(let port):
            self = .ownerUnknown(port: port)
        }
    }

    private static func elsewhere(_ permitted: String?, _ found: [String]) -> String {
        let here = found.map { "\(Printable($0))" }.joined(separator: ", ")
        let now = here.isEmpty ? "the server's is not known" : "the server is on \(here) now"
        guard let permitted else { return "it was not allowed on any interface, and \(now)" }
        return "it was allowed on the interface \(Printable(permitted)), and \(now)"
    }
}
