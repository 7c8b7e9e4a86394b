// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a pending file cannot be read or written.
public enum PendingFileError: Error, Hashable, Sendable {
    /// Another process, or another object of this one, has the file open.
    case inUse
    /// Another file has the name of the lock file or of the journal; it is not changed.
    case notOurs(_ path: String)
    /// The file is not a pending file, or one of a later version.
    case otherFormat
    /// The file was changed by something else, at this byte. Nothing is lost that was saved before it, but the file is not
    /// used and not changed.
    case damaged(offset: Int)
    /// Another program changed the file after it was read, so the changes of this one were not saved.
    case changed
    /// Another program had the database locked for longer than relativityd waits.
    case locked
    /// The database has a table, an index, a view or a trigger that relativityd does not make, or lacks one.
    case foreign(_ name: String)
    /// The database has values that are no change of its tables.
    case invalid(_ reason: String)
    /// SQLite reported an error.
    case database(_ message: String)
    /// The file or a record is larger than 2 GiB.
    case tooLarge
    /// A text of the place is longer than its limit.
    case invalidPlace
    /// A call of the system failed.
    case system(_ call: String, _ errno: Int32)
}

extension PendingFileError: CustomStringConvertible {
    /// A sentence fragment.
    public var description: String {
        switch self {
        case .inUse: "the pending file is in use"
        case .notOurs(let path): "\(path) exists and is not of relativityd: rename one of both files"
        case .otherFormat: "not a pending file, or one of a later version"
        case .damaged(let offset): "damaged pending file, at byte \(offset)"
        case .changed: "another program has changed the pending file meanwhile"
        case .locked: "another program keeps the pending file locked"
        case .foreign(let name): "'\(name)' in the pending file is not of relativityd"
        case .invalid(let reason): "invalid changes in the pending file: \(reason)"
        case .database(let message): message
        case .tooLarge: "pending changes of more than 2 GiB"
        case .invalidPlace: "the name of the server or of the data service is too long"
        case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
        }
    }
}

/// The place of pending changes: a server and one of its data services.
public struct PendingFilePlace: Hashable, Sendable {
    /// The most bytes of UTF-8 of each text.
    public static let longestText = 1_024

    /// Identifies the endpoint.
    public let endpoint: String
    /// The name of the data service.
    public let service: String

    /// Creates a place.
    public init(endpoint: String, service: String) {
        self.endpoint = endpoint
        self.service = service
    }

    var texts: [String] { [endpoint, service] }
    /// Whether both texts are within the limit.
    package var isShort: Bool { texts.allSatisfy { $0.utf8.count <= Self.longestText } }
}
