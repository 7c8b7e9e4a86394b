// SPDX-License-Identifier: Apache-2.0

import EventLoops
import NIOPosix
import Platform
import Synchronization

/// One file of ours, read and replaced as a whole on the thread pool. What is written can be read again: the same limit
/// holds for both.
final class StateFile: Sendable {
    let name: String
    private let directory: String
    private let maximumBytes: Int
    private let pool: NIOThreadPool
    /// Why the file that was found must not be written over: it holds what was not read.
    private let obstacle = Mutex<StateFileError?>(nil)

    /// - Parameter directory: made with mode 0700 where it is missing.
    init(_ name: String, in directory: String, maximumBytes: Int, pool: NIOThreadPool) {
        self.name = name
        self.directory = directory
        self.maximumBytes = maximumBytes
        self.pool = pool
    }

    /// Reads the file. One that is damaged is set aside, so that the next save does not destroy it; one of a later version,
    /// or one that cannot be got at, stays where it is, and as long as it is there nothing is saved.
    ///
    /// - Returns: nil where there is no file that can be used, and a problem where there is one that cannot.
    func load<Contents: Sendable>(
        _ parse: @escaping @Sendable ([UInt8]) throws -> Contents
    ) async -> (contents: Contents?, problem: StateFileProblem?) {
        do {
            let found = try await pool.perform {
                [self] () throws -> (contents: Contents?, problem: StateFileProblem?) in
                let folder = try ProtectedDirectory(directory, creating: true)
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

    private var path: String { "\(directory)/\(name)" }

    /// What the file itself is to blame for. Others, such as a lack of descriptors or of memory, may pass.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case StateFileError.versionTooNew: false
        case PlatformError.unsafePermissions, PlatformError.tooLarge: true
        default: !(error is PlatformError)
        }
    }

    /// Returns when the file is on disk. To be called again only then: two writes would race.
    ///
    /// - Throws: `StateFileError`, or a `PlatformError`; the file is the old one then.
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

/// A file of the daemon that could not be read.
package enum StateFileProblem: Sendable, Hashable {
    /// A damaged file was renamed.
    ///
    /// - Parameter reason: a text that is safe to show.
    case setAside(path: String, movedTo: String, reason: String)
    /// The file is neither used nor written.
    ///
    /// - Parameter reason: a text that is safe to show.
    case unusable(path: String, reason: String)
}

/// Why a file of ours could not be read or written.
enum StateFileError: Error, Equatable {
    case damaged(String)
    /// - Parameter known: the version that this program reads and writes.
    case versionTooNew(Int64, known: Int64)
    case unreadable(String)
    /// - Parameter limit: in bytes.
    case tooLarge(limit: Int)
}

extension StateFileError: CustomStringConvertible {
    var description: String {
        switch self {
        case .damaged(let reason): "the file is damaged: \(reason)"
        case .versionTooNew(let found, let known):
            "it has format version \(found), and this program knows \(known): use the program that wrote it"
        case .unreadable(let reason): reason
        case .tooLarge(let limit): "it would be larger than \(limit) bytes"
        }
    }
}
