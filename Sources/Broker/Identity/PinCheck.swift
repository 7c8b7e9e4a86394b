// SPDX-License-Identifier: Apache-2.0

import Endpoints

/// Decides whether a login that is bound to a pin may go to an endpoint as it is now, and to which addresses.
enum PinCheck: Equatable {
    /// Connect to one of these, in this order; the pin still has to be proved over TLS.
    case connect([IPAddress])
    /// The endpoint is not what the login is bound to: the reason as a sentence fragment.
    case conflict(String)
    /// It is on another interface than the permission: the reason likewise.
    case elsewhere(String)

    /// Where a link-local address may be.
    enum Permission {
        /// Nothing secret is sent there.
        case anywhere
        /// Only on this interface; nil where none was named.
        case on(interface: String?)
    }

    /// - Parameters:
    ///   - candidates: where the endpoint is now, already checked against the source's address policy.
    ///   - permission: of what is to be sent. It counts for link-local addresses, which are other machines on other links.
    ///   - interfaceOf: tells the interface of a link-local address.
    init(
        _ pin: Pin,
        scheme: ServerURL.Scheme,
        port: UInt16,
        candidates: [IPAddress],
        permission: Permission = .anywhere,
        interfaceOf: (IPAddress) -> String? = { $0.interfaceName }
    ) {
        switch pin {
        case .tls, .authority:
            self = scheme == .https ? .connect(candidates) : .conflict("it no longer uses TLS")
        case .address(let address, let pinnedPort), .loopback(let address, let pinnedPort):
            guard scheme == .http else {
                self = .conflict("the login is bound to plain HTTP at \(address), and it uses TLS now")
                return
            }
            let matches = candidates.filter { $0.bytes == address.bytes }
            guard port == pinnedPort, let first = matches.first else {
                self = .conflict("the login is bound to \(address) port \(pinnedPort), and it is elsewhere now")
                return
            }
            guard address.isLinkLocalIPv6, case .on(let interface) = permission else {
                self = .connect([first])
                return
            }
            guard let interface, let match = matches.first(where: { interfaceOf($0) == interface }) else {
                self = .elsewhere(Self.elsewhere(interface, matches.map(interfaceOf)))
                return
            }
            self = .connect([match])
        }
    }

    /// Why plain HTTP on one interface is no plain HTTP on another.
    static func elsewhere(_ permitted: String?, _ found: [String?]) -> String {
        let here = found.compactMap { $0.map { "\(Printable($0))" } }.joined(separator: ", ")
        let now = here.isEmpty ? "the server's is not known" : "the server is on \(here) now"
        guard let permitted else { return "it was not allowed on any interface, and \(now)" }
        return "it was allowed on the interface \(Printable(permitted)), and \(now)"
    }
}
