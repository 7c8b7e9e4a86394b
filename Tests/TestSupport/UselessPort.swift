// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A reserved TCP port on loopback without a server.
package final class UselessPort: Sendable {
    package enum Manner: Sendable {
        /// The port is bound without listening: connections are refused.
        case refusing
        /// The kernel accepts connections, but no process reads their input.
        case deaf
    }

    package struct NoPort: Error {}

    package let number: Int
    private let descriptor: Int32

    package init(_ manner: Manner) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // sockaddr_in as bytes: which module shows the struct depends on what else was imported before.
        var address = [UInt8](repeating: 0, count: 16)
        address[0] = UInt8(AF_INET)
        address.replaceSubrange(4..<8, with: [127, 0, 0, 1])
        var length = socklen_t(address.count)
        let status = address.withUnsafeMutableBytes { [descriptor] bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, length) | (manner == .deaf ? listen(descriptor, 64) : 0)
                | getsockname(descriptor, pointer, &length)
        }
        number = Int(address[2]) << 8 | Int(address[3])
        guard status == 0 else { throw NoPort() }
    }

    deinit {
        close(descriptor)
    }
}
