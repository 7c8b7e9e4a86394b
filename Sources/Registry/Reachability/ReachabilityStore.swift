// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Glibc
package import NIOPosix

/// Keeps `reachability.json` in one directory.
package struct ReachabilityStore: Sendable {
    private let file: StateFile

    /// - Parameter directory: made with mode 0700 where it is missing.
    package init(directory: String, pool: NIOThreadPool) {
        file = StateFile("reachability.json", in: directory, maximumBytes: ReachabilityFile.maximumBytes, pool: pool)
    }

    /// - Returns: what was saved, nothing where there is no file, and the problem of a file that cannot be used.
    package func load() async -> (states: [EndpointID: Reachability], problem: StateFileProblem?) {
        let (found, problem) = await file.load { try ReachabilityFile(parsing: $0, now: Int64(time(nil))) }
        return (found?.states ?? [:], problem)
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    package func save(_ states: [EndpointID: Reachability]) async throws {
        try await file.save { ReachabilityFile(states).bytes }
    }
}
