// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// A host name that is compared like a DNS name: as bytes, without a trailing dot, and the case of ASCII letters is
/// ignored.
///
/// Swift's `String` alone would also equate the composed and the decomposed form of a letter.
struct HostName: Sendable {
    let text: String

    init(_ host: String) {
        text = host.hasSuffix(".") ? ASCII.lowered(String(host.dropLast())) : ASCII.lowered(host)
    }
}

extension HostName: Hashable {
    static func == (one: Self, other: Self) -> Bool {
        one.text.hasSameBytes(as: other.text)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

/// One of the two things by which a server is recognised: its host name or an address, without its scope.
enum HostOrAddress: Hashable, Sendable {
    case host(HostName)
    case address([UInt8])

    /// Hashes the bytes in one piece, because the hash of an array takes them one by one.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .host(let host): hasher.combine(host)
        case .address(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

/// The host name or address where a server listens, and its port.
struct HostAndPort: Hashable, Sendable {
    var locator: HostOrAddress
    var port: UInt16
}

extension EndpointID {
    /// 80 bits: an attacker cannot find a second instance name with the same ID by trying.
    private static let byteCount = 10

    /// The ID of a server that is known only from its announcement. It is the same after every restart.
    package static func derived(from instance: ServiceInstance) -> EndpointID { derived(from: instance, host: nil) }

    /// - Parameter host: the host, if another endpoint already has the instance name; otherwise nil.
    @Sendable static func derived(from instance: ServiceInstance, host: HostName?) -> EndpointID {
        var text = Array("relativityd/instance\0".utf8)
        text += instance.nameBytes.lazy.map(ASCII.lowered)
        text.append(0)
        text += instance.domain.utf8.lazy.map(ASCII.lowered)
        if let host {
            text.append(0)
            text += host.text.utf8
        }
        return made(of: SHA256.digest(of: text))
    }

    /// The ID of a server that the administrator configured. It is the same after every restart and on every machine.
    @Sendable package static func derived(from url: ServerURL) -> EndpointID {
        made(of: SHA256.digest(of: Array("relativityd/url\0\(url)".utf8)))
    }

    /// A random ID for a server that the user adds.
    ///
    /// - Throws: a `PlatformError` if the kernel gives no random bytes.
    package static func random() throws(PlatformError) -> EndpointID {
        made(of: try SystemRandom().bytes(byteCount))
    }

    private static func made(of bytes: [UInt8]) -> EndpointID {
        guard let id = EndpointID(HexText.encode(Array(bytes.prefix(byteCount)))) else {
            preconditionFailure("hexadecimal digits are letters of an id")
        }
        return id
    }
}
