// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The address of a Unix socket file.
package struct UnixAddress {
    private let address: sockaddr_un

    /// - Returns: nil if the path is empty, contains a NUL, or exceeds 107 bytes.
    package init?(_ path: String) {
        let bytes = Array(path.utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < room else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        self.address = address
    }

    /// Calls bind(2), which sets `errno`.
    package func bind(_ descriptor: Int32) -> Int32 {
        withSocketAddress { Glibc.bind(descriptor, $0, $1) }
    }

    /// Calls connect(2), which sets `errno`.
    package func connect(_ descriptor: Int32) -> Int32 {
        withSocketAddress { Glibc.connect(descriptor, $0, $1) }
    }

    private func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
