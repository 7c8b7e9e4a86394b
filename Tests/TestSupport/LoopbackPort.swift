// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Ports of 127.0.0.1 for servers whose port must be given.
package enum LoopbackPort {
    package struct NoneFree: Error {}

    /// Returns free TCP ports, all different. No other test takes them before the server does.
    package static func free(_ count: Int) throws -> [UInt16] {
        let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for socket in sockets { close(socket) } }
        return try sockets.map { socket in
            var address = sockaddr_in.loopback(port: 0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    bind(socket, pointer, size) == 0 ? getsockname(socket, pointer, &size) : -1
                }
            }
            guard status == 0 else { throw NoneFree() }
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Whether a server accepts connections there.
    static func isOpen(_ port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in.loopback(port: port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

extension sockaddr_in {
    fileprivate static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
