// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

/// A host name as DNS compares names: bytes, but ASCII letters without case, and without the trailing dot.
///
/// Swift's `String` alone would also equate the composed and the decomposed form of a letter.
struct HostName: Sendable {
    let text: String

    init(_ host: String) {
        text = host.hasSuffix(".") ? ASCIICase.lowered(String(host.dropLast())) : ASCIICase.lowered(host)
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

/// The only case that DNS does not tell apart (RFC 4343).
enum ASCIICase {
    static func lowered(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map(lowered)
    }

    static func lowered(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte + 0x20 : byte }

    static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { lowered($0) == lowered($1) }
    }

    static func lowered(_ text: String) -> String {
        text.utf8.contains(where: isUpper) ? String(decoding: lowered(text.utf8), as: UTF8.self) : text
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}

/// One of the two things by which a server is recognised: its host name or an address, without its scope.
enum HostOrAddress: Hashable, Sendable {
    case host(HostName)
    case address([UInt8])

    /// Bytes in one piece: the hashing of arrays would take them one by one.
    func hash(into hasher: inout Hasher) {
        switch self {
        case .host(let host): hasher.combine(host)
        case .address(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

/// Where a server listens, in one of the two ways to say so.
struct HostAndPort: Hashable, Sendable {
    var locator: HostOrAddress
    var port: UInt16
}

extension EndpointID {
    /// Enough that nobody finds a second instance name with the same id by trying.
    private static let byteCount = 10

    /// The id of a server that only its announcement names: the same after every restart.
    package static func derived(from instance: ServiceInstance) -> EndpointID { derived(from: instance, host: nil) }

    /// - Parameter host: set for a server whose instance name another one has already.
    @Sendable static func derived(from instance: ServiceInstance, host: HostName?) -> EndpointID {
        var text = Array("relativityd/instance\0".utf8)
        text += instance.nameBytes.lazy.map(ASCIICase.lowered)
        text.append(0)
        text += instance.domain.utf8.lazy.map(ASCIICase.lowered)
        if let host {
            text.append(0)
            text += host.text.utf8
        }
        guard let digest = try? SHA256.digest(of: text) else { preconditionFailure("libcrypto without SHA-256") }
        return made(of: digest)
    }

    /// The id of a server that the administrator laid down: the same after every restart and on every machine.
    @Sendable package static func derived(from url: ServerURL) -> EndpointID {
        guard let digest = try? SHA256.digest(of: Array("relativityd/url\0\(url)".utf8)) else {
            preconditionFailure("libcrypto without SHA-256")
        }
        return made(of: digest)
    }

    /// A fresh id for a server that the user adds.
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
