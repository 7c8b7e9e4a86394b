// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The address of a Unix socket: a path, or `@` and a name in the abstract namespace.
package struct UnixAddress: Sendable {
    private let address: sockaddr_un
    private let length: socklen_t

    /// - Returns: nil unless `path` is absolute or abstract and fits `sockaddr_un` (107 bytes).
    package init?(path: String) {
        var bytes = Array(path.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else { return nil }
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
        // The length of an abstract name is significant; a path ends at its NUL.
        length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path).map { $0 + bytes.count } ?? 0)
    }

    /// Calls `body` with the arguments of bind(2) and connect(2). The pointer is valid during the call only.
    package func withSockaddr<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
