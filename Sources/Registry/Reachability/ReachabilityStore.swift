// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc
package import NIOPosix

/// Keeps `reachability.json` in one directory.
package struct ReachabilityStore: Sendable {
    private let file: StateFile

    /// - Parameter directory: made with mode 0700 where it is missing.
    package init(directory: String, pool: NIOThreadPool) {
        let (name, subject) = ("reachability.json", "what was known of servers before")
        file = StateFile(name, subject, in: directory, maximumBytes: ReachabilityFile.maximumBytes, pool: pool)
    }

    /// - Returns: what was saved, nothing where there is no file, and a note about a file that cannot be used.
    package func load() async -> (states: [EndpointID: Reachability], note: String?) {
        let (found, note) = await file.load { try ReachabilityFile(parsing: $0, now: Int64(time(nil))) }
        return (found?.states ?? [:], note)
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    package func save(_ states: [EndpointID: Reachability]) async throws {
        try await file.save { ReachabilityFile(states).bytes }
    }
}
