// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import EventLoops
import Glibc
package import NIOPosix
import Platform

/// Keeps `reachability.json` in one directory. Files are read and written on the thread pool.
package struct ReachabilityStore: Sendable {
    private static let name = "reachability.json"

    private let directory: String
    private let pool: NIOThreadPool

    /// - Parameter directory: made with mode 0700 where it is missing.
    package init(directory: String, pool: NIOThreadPool) {
        self.directory = directory
        self.pool = pool
    }

    /// - Returns: what was saved, nothing where there is no file, and a note about a file that was set aside.
    package func load() async -> (states: [EndpointID: Reachability], note: String?) {
        do {
            return try await pool.perform { [directory] in
                let folder = try ProtectedDirectory(directory, creating: true)
                do {
                    let limit = ReachabilityFile.maximumBytes
                    guard let bytes = try AtomicFile.read(Self.name, in: folder, maximumBytes: limit) else {
                        return ([:], nil)
                    }
                    return (try ReachabilityFile(parsing: bytes, now: Int64(time(nil))).states, nil)
                } catch {
                    let aside = try folder.setAside(Self.name)
                    return ([:], "what was known of servers before was set aside as \(aside): \(error)")
                }
            }
        } catch {
            return ([:], "what was known of servers before could not be read: \(error)")
        }
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    package func save(_ states: [EndpointID: Reachability]) async throws {
        try await pool.perform { [directory] in
            let folder = try ProtectedDirectory(directory, creating: true)
            try AtomicFile.write(ReachabilityFile(states).bytes, to: Self.name, in: folder)
        }
    }
}
