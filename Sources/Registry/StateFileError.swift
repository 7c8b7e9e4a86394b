// SPDX-License-Identifier: Apache-2.0

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
