// SPDX-License-Identifier: Apache-2.0

internal import Endpoints

extension DNSError {
    /// The same as a fault of the source.
    ///
    /// - Parameters:
    ///   - asked: the servers, in the order in which they were asked.
    ///   - source: where their addresses are from.
    func fault(asked: [AddressAndPort], from source: DNSServers) -> SourceFault {
        let servers = asked.map { "\($0)" }
        let path: String? = if case .file(let path) = source { path } else { nil }
        return switch self {
        case .noServer: SourceFault(.dnsNoServer, path: path)
        case .silence: SourceFault(.dnsSilent, servers: servers, path: path)
        case .refused(let code): SourceFault(.dnsError, servers: servers, path: path, number: Int(code))
        case .malformed: SourceFault(.dnsMalformed, servers: servers, path: path)
        }
    }
}
