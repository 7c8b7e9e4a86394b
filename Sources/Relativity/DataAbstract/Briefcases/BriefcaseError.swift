// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a briefcase cannot be read or written.
public enum BriefcaseError: Error, Hashable, Sendable {
    /// Another process, or another object of this one, has the briefcase open for writing.
    case inUse
    /// The path is neither a regular file nor a folder, or not of the wanted form.
    case otherForm
    /// A table cannot be read or written; in a folder, the one of this file.
    case tables(file: String?, TableError)
    /// The properties are not a property list of texts.
    case properties(reason: String, line: Int)
    /// The pending changes cannot be read or written.
    case changes(PendingFileError)
    /// Two tables have this name, ignoring case.
    case duplicateTable(String)
    /// A table cannot have this name in a briefcase: it is empty, longer than 200 bytes, or that of our own table.
    case invalidTable(String)
    /// The name or the value of this property is too long, or has a character that XML does not permit.
    case invalidProperty(String)
    /// A file is larger than 2 GiB, or the properties are larger than 1 MiB.
    case tooLarge
    /// A call of the system failed.
    case system(_ call: String, _ errno: Int32)

    init(_ error: PendingFileError) {
        self =
            switch error {
            case .inUse: .inUse
            case .otherFormat: .otherForm
            case .notLock, .damaged, .invalidPlace: .changes(error)
            case .tooLarge: .tooLarge
            case .system(let call, let errno): .system(call, errno)
            }
    }

    /// The error for a store of pending changes.
    var pendingFileError: PendingFileError {
        switch self {
        case .inUse: .inUse
        case .changes(let error): error
        case .system(let call, let errno): .system(call, errno)
        case .otherForm, .properties, .duplicateTable, .invalidTable, .invalidProperty: .otherFormat
        case .tables, .tooLarge: .tooLarge
        }
    }
}

extension BriefcaseError: CustomStringConvertible {
    /// A sentence fragment. It may contain text of the briefcase.
    public var description: String {
        switch self {
        case .inUse: "the briefcase is in use"
        case .otherForm: "not a briefcase of this form"
        case .tables(let file?, let error): "\(file): \(error)"
        case .tables(nil, let error): "\(error)"
        case .properties(let reason, let line): "invalid properties: \(reason), line \(line)"
        case .changes(let error): "pending changes: \(error)"
        case .duplicateTable(let name): "two tables '\(name)'"
        case .invalidTable(let name): "a table in a briefcase cannot have the name '\(name)'"
        case .invalidProperty(let name): "the property '\(name)' is too long or has a character that XML forbids"
        case .tooLarge: "a briefcase of more than 2 GiB, or properties of more than 1 MiB"
        case .system(let call, let errno): "\(call): \(String(cString: strerror(errno)))"
        }
    }
}
