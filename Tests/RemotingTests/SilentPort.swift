// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A TCP port on loopback that refuses connections, and that nobody else gets: bound, but not listened on.
final class SilentPort {
    struct NoPort: Error {}

    let number: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // As bytes: the members of sockaddr_in belong to Glibc or to a module of SwiftNIO, as the compiler finds first.
        let family = withUnsafeBytes(of: sa_family_t(AF_INET)) { Array($0) }
        var address = family + [0, 0, 127, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
        var length = socklen_t(address.count)
        let status = address.withUnsafeMutableBytes { [descriptor] bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, length) | getsockname(descriptor, pointer, &length)
        }
        number = Int(address[2]) << 8 | Int(address[3])
        guard status == 0 else { throw NoPort() }
    }

    deinit {
        close(descriptor)
    }
}
