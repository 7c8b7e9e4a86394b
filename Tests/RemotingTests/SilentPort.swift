// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A TCP port on loopback that refuses connections, and that nobody else gets: bound, but not listened on.
final class SilentPort {
    struct NoPort: Error {}

    let number: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { [descriptor] bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, length) | getsockname(descriptor, pointer, &length)
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard status == 0 else { throw NoPort() }
    }

    deinit {
        close(descriptor)
    }
}
