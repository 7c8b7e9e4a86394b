// SPDX-License-Identifier: Apache-2.0

import Endpoints
import EventLoops
import NIOCore
package import NIOPosix
import Platform

/// Keeps `endpoints.json` in one directory. Files are read and written on the thread pool.
package struct EndpointStore: Sendable {
    private static let name = "endpoints.json"

    private let directory: String
    private let pool: NIOThreadPool

    /// - Parameter directory: made with mode 0700 where it is missing.
    package init(directory: String, pool: NIOThreadPool) {
        self.directory = directory
        self.pool = pool
    }

    /// - Returns: what was saved, none where there is no file, and a note about a file that was set aside.
    func load() async -> (keepsakes: [Keepsake], note: String?) {
        do {
            return try await pool.perform { [directory] in
                let folder = try ProtectedDirectory(directory, creating: true)
                do {
                    let limit = EndpointFile.maximumBytes
                    guard let bytes = try AtomicFile.read(Self.name, in: folder, maximumBytes: limit) else {
                        return ([], nil)
                    }
                    return (try EndpointFile(parsing: bytes).keepsakes, nil)
                } catch {
                    let aside = try folder.setAside(Self.name)
                    return ([], "the list of added endpoints was set aside as \(aside): \(error)")
                }
            }
        } catch {
            return ([], "the list of added endpoints could not be read: \(error)")
        }
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    func save(_ file: EndpointFile) async throws {
        try await pool.perform { [directory] in
            try AtomicFile.write(file.bytes, to: Self.name, in: try ProtectedDirectory(directory, creating: true))
        }
    }
}
