// SPDX-License-Identifier: Apache-2.0

package import Endpoints
package import Platform

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
