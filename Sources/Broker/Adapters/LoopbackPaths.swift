// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOPosix
import Platform

/// Stores the paths of configured loopback adapters, so that they stay valid for programs after a restart. Each path
/// is in a file of mode 0600.
package struct LoopbackPaths: Sendable {
    private let directory: String
    private let pool: NIOThreadPool

    /// - Parameters:
    ///   - directory: created with mode 0700 when the first path is made.
    ///   - pool: started by the caller; it outlives this value.
    package init(directory: String, pool: NIOThreadPool) {
        self.directory = directory
        self.pool = pool
    }

    /// The stored path of the adapter with this name. If there is none or it is unusable, makes and stores a new one.
    func path(of name: String) async throws -> String {
        try await pool.perform { [directory] in
            let directory = try ProtectedDirectory(directory, creating: true)
            let file = "adapter-\(name).path"
            if let bytes = try AtomicFile.read(file, in: directory, maximumBytes: 4 << 10),
                let text = String(validating: bytes, as: UTF8.self).map({
                    $0.hasSuffix("\n") ? String($0.dropLast()) : $0
                }),
                LoopbackGate.isUsable(text)
            {
                return text
            }
            let made = try LoopbackGate.makePath()
            try AtomicFile.write(Array("\(made)\n".utf8), to: file, in: directory)
            return made
        }
    }
}
