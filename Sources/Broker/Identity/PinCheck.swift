// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Decides whether a login that is bound to a pin may go to an endpoint as it is now, and to which addresses.
enum PinCheck: Equatable {
    /// Connect to one of these, in this order; the pin still has to be proved over TLS.
    case connect([IPAddress])
    /// The endpoint is not what the login is bound to.
    case conflict(StateReason)
    /// What is to be sent may not go to where it is.
    case refused(PlaintextRefusal)

    /// - Parameters:
    ///   - candidates: where the endpoint is now, already checked against the source's address policy.
    ///   - permission: of what is to be sent; nil if that is nothing secret. It counts for link-local addresses, which are
    ///     other machines on other links.
    ///   - interfaceOf: tells the interface of a link-local address.
    init(
        _ pin: Pin,
        scheme: ServerURL.Scheme,
        port: UInt16,
        candidates: [IPAddress],
        permission: PlaintextPermission? = nil,
        interfaceOf: (IPAddress) -> String? = { $0.interfaceName }
    ) {
        switch pin {
        case .tls, .authority:
            self = scheme == .https ? .connect(candidates) : .conflict(StateReason(.tlsGone))
        case .address(let address, let pinnedPort), .loopback(let address, let pinnedPort):
            guard scheme == .http else {
                self = .conflict(StateReason(.tlsNow, host: "\(address)"))
                return
            }
            let matches = candidates.filter { $0.bytes == address.bytes }
            guard port == pinnedPort, let first = matches.first else {
                self = .conflict(StateReason(.otherPlace, host: "\(address)", port: pinnedPort))
                return
            }
            guard pin.isLinkLocal, let permission else {
                self = .connect([first])
                return
            }
            func refusal(at places: [IPAddress]) -> PlaintextRefusal? {
                PlaintextRule(pin, permission).refusal(knowing: [.interfaces(places.compactMap(interfaceOf))])
            }
            if let refusal = refusal(at: matches) {
                self = .refused(refusal)
            } else {
                self = .connect([matches.first { refusal(at: [$0]) == nil } ?? first])
            }
        }
    }
}
