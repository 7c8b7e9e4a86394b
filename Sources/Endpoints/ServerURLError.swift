// SPDX-License-Identifier: Apache-2.0

/// Why a text is no server address.
package enum ServerURLError: Error, Hashable {
    case empty
    case tooLong(limit: Int)
    case unprintable
    case missingScheme
    case badScheme(String)
    case userInfo
    case badHost(String)
    case addressOfNoHost(String)
    case metadataService(String)
    case missingZone(String)
    case badPort(String)
    case badPath(String)
}

extension ServerURLError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "the address is empty"
        case .tooLong(let limit): "the address is longer than \(limit) bytes"
        case .unprintable: "the address has spaces, control characters or letters outside ASCII"
        case .missingScheme: "a path needs a full URL, for example http://HOST:7099/bin"
        case .badScheme(let scheme): "'\(Printable(scheme))' is no scheme of a server: use http or https"
        case .userInfo: "an address carries no user or password"
        case .badHost(let host): "'\(Printable(host))' is neither a host name nor an IP address"
        case .addressOfNoHost(let host): "\(Printable(host)) is not the address of one host"
        case .metadataService(let host): "\(Printable(host)) is where a cloud answers its machines, and no server"
        case .missingZone(let host):
            "\(Printable(host)) is link-local: add its interface, as in \(Printable(host))%eth0"
        case .badPort(let port): "'\(Printable(port))' is no port: use 1 to 65535"
        case .badPath(let path): "'\(Printable(path))' is no path: it begins with / and has no space, ? or #"
        }
    }
}
