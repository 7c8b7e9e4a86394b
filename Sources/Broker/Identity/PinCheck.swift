// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Decides whether a login that is bound to a pin may go to an endpoint as it is now, and to which addresses.
enum PinCheck: Equatable {
    /// Connect to one of these, in this order; the pin still has to be proved over TLS.
    case connect([IPAddress])
    /// The endpoint is not what the login is bound to: the reason as a sentence fragment.
    case conflict(String)

    /// - Parameters:
    ///   - candidates: where the endpoint is now, already checked against the source's address policy.
    init(_ pin: Pin, scheme: ServerURL.Scheme, port: UInt16, candidates: [IPAddress]) {
        switch pin {
        case .tls, .authority:
            self = scheme == .https ? .connect(candidates) : .conflict("it no longer uses TLS")
        case .address(let address, let pinnedPort), .loopback(let address, let pinnedPort):
            guard scheme == .http else {
                self = .conflict("the login is bound to plain HTTP at \(address), and it uses TLS now")
                return
            }
            guard port == pinnedPort, let match = candidates.first(where: { $0.bytes == address.bytes }) else {
                self = .conflict("the login is bound to \(address) port \(pinnedPort), and it is elsewhere now")
                return
            }
            self = .connect([match])
        }
    }
}
