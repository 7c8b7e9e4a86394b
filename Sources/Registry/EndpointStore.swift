// SPDX-License-Identifier: Apache-2.0

import Endpoints
package import NIOPosix

/// Keeps `endpoints.json` in one directory.
package struct EndpointStore: Sendable {
    private let file: StateFile

    /// - Parameter directory: made with mode 0700 where it is missing.
    package init(directory: String, pool: NIOThreadPool) {
        file = StateFile("endpoints.json", in: directory, maximumBytes: EndpointFile.maximumBytes, pool: pool)
    }

    /// - Returns: what was saved, none where there is no file, and the problem of a file that cannot be used.
    func load() async -> (savedEndpoints: [SavedEndpoint], problem: StateFileProblem?) {
        let (found, problem) = await file.load { try EndpointFile(parsing: $0) }
        return (found?.savedEndpoints ?? [], problem)
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    func save(_ contents: EndpointFile) async throws {
        try await file.save { contents.bytes }
    }
}
