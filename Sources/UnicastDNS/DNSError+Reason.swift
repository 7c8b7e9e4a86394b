// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

extension DNSError {
    /// For people, with the servers that were asked and the next step.
    ///
    /// - Parameters:
    ///   - domain: what was asked about.
    ///   - asked: in the order in which they were asked.
    ///   - source: where their addresses are from.
    func reason(domain: DomainName, asked: [AddressAndPort], from source: DNSServers) -> String {
        let place =
            switch source {
            case .file(let path): "\(path), or as servers in [[dns_domain]]"
            case .fixed: "servers in [[dns_domain]]"
            }
        guard let first = asked.first else { return "\(self): name one in \(place)" }
        let list = asked.map { "\($0)" }.joined(separator: ", ")
        return """
            \(self) (asked: \(list)): try 'dig @\(first.address) -p \(first.port) \(domain) SOA'; if that gets no answer \
            either, mend that server or the way to it, or name others in \(place)
            """
    }
}
