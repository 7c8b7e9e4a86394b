// SPDX-License-Identifier: Apache-2.0

import EventLoops
import JSON
import Locks
import NIOPosix
import Platform

/// A state file of the daemon, read and replaced as a whole on the thread pool. Reading and writing have the same size
/// limit, so that every written file can be read.
final class StateFile: Sendable {
    /// No save takes longer.
    private static let longestSave = Duration.seconds(3_600)

    let name: String
    private let directory: String
    private let maximumBytes: Int
    private let pool: NIOThreadPool
    /// The reason why the file on disk must not be overwritten: it could not be read, and its contents would be lost.
    private let obstacle = Lock<StateFileError?>(nil)

    /// - Parameter directory: created with mode 0700 if it does not exist.
    init(_ name: String, in directory: String, maximumBytes: Int, pool: NIOThreadPool) {
        self.name = name
        self.directory = directory
        self.maximumBytes = maximumBytes
        self.pool = pool
    }

    /// Reads the file. A damaged file is set aside, so that the next save does not destroy it. A file of a later
    /// version, or one that cannot be accessed or that other users can access, stays where it is. As long as it exists
    /// nothing is saved.
    ///
    /// - Returns: the contents, nil if there is no usable file; and the problem if the file cannot be used.
    func load<Contents: Sendable>(
        _ parse: @escaping @Sendable ([UInt8]) throws -> Contents
    ) async -> (contents: Contents?, problem: StateFileProblem?) {
        do {
            let found = try await pool.perform {
                [self] () throws -> (contents: Contents?, problem: StateFileProblem?) in
                let folder = try ProtectedDirectory(directory, creating: true)
                // Without locks in the file system, another daemon may be saving now.
                AtomicFile.removeStaleFiles(of: [name], in: folder, olderThan: Self.longestSave)
                do {
                    let bytes = try AtomicFile.read(name, in: folder, maximumBytes: maximumBytes)
                    return (try bytes.map(parse), nil)
                } catch  where Self.isDamage(error) {
                    let aside = try folder.setAside(name)
                    return (nil, .setAside(path: path, movedTo: aside, reason: "\(error)"))
                }
            }
            obstacle.withLock { $0 = nil }
            return found
        } catch {
            let reason = error as? StateFileError ?? .unreadable("\(error)")
            obstacle.withLock { $0 = reason }
            return (nil, .unusable(path: path, reason: "\(reason)"))
        }
    }

    var path: String { "\(directory)/\(name)" }

    /// Whether the content of the file causes the error. The content is good after a copy that changed the mode or made
    /// a link. Other errors, such as a lack of descriptors or memory, may be temporary.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case StateFileError.versionTooNew: false
        case PlatformError.tooLarge: true
        default: !(error is PlatformError)
        }
    }

    /// Returns when the file is on disk. Call again only after that, because two writes would race.
    ///
    /// - Throws: `StateFileError` or a `PlatformError`. The old file is unchanged then.
    func save(_ contents: @escaping @Sendable () -> [UInt8]) async throws {
        try await pool.perform { [self] in
            let bytes = contents()
            guard bytes.count <= maximumBytes else { throw StateFileError.tooLarge(limit: maximumBytes) }
            let folder = try ProtectedDirectory(directory, creating: true)
            if let obstacle = obstacle.withLock({ $0 }), try folder.names().contains(name) { throw obstacle }
            try AtomicFile.write(bytes, to: name, in: folder)
            obstacle.withLock { $0 = nil }
        }
    }
}

extension JSONObject {
    /// Reads the bytes of a state file.
    ///
    /// - Parameters:
    ///   - version: the only one that is read.
    ///   - maximumBytes: bounds the values too: what was saved can be read.
    /// - Throws: `StateFileError.damaged`, `.versionTooNew`.
    init(stateFile bytes: [UInt8], version: Int64, maximumBytes: Int) throws(StateFileError) {
        do {
            let limits = JSONLimits(bytes: maximumBytes, values: maximumBytes)
            guard case .object(let root) = try JSONValue(parsing: bytes, limits: limits) else {
                throw StateFileError.damaged("it is not a JSON object")
            }
            let found = try root.integer("version")
            guard found == version else { throw StateFileError.versionTooNew(found, known: version) }
            self = root
        } catch {
            throw StateFileError(error)
        }
    }
}

/// A file of the daemon that could not be read.
package enum StateFileProblem: Sendable, Hashable {
    /// The file is damaged and was renamed.
    ///
    /// - Parameter reason: a text that is safe to show.
    case setAside(path: String, movedTo: String, reason: String)
    /// The file is neither used nor overwritten.
    ///
    /// - Parameter reason: a text that is safe to show.
    case unusable(path: String, reason: String)
    /// The file is used, but not the permission to export sessions that it contains.
    case sessionExportIgnored(path: String)
}

/// The reason why a state file could not be read or written.
enum StateFileError: Error, Equatable {
    case damaged(String)
    /// - Parameter known: the version that this program reads and writes.
    case versionTooNew(Int64, known: Int64)
    case unreadable(String)
    /// - Parameter limit: in bytes.
    case tooLarge(limit: Int)

    /// An error of the content, as damage.
    init(_ error: any Error) { self = error as? StateFileError ?? .damaged("\(error)") }
}

extension StateFileError: CustomStringConvertible {
    var description: String {
        switch self {
        case .damaged(let reason): "the file is damaged: \(reason)"
        case .versionTooNew(let found, let known):
            "it has format version \(found), and this program supports \(known): use the program that wrote it"
        case .unreadable(let reason):
            "\(reason); the file is not read again before a restart: systemctl --user restart relativityd.service"
        case .tooLarge(let limit): "it would be larger than \(limit) bytes"
        }
    }
}
