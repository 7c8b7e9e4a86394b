// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform

/// The servers that the administrator configured for all users, one in each file of a directory: `*.toml` and the
/// vendor's `*.relativityClient`.
package struct AdministratorsServers: Sendable {
    /// The directory that is read by default.
    package static let usualDirectory = "/etc/relativityd/endpoints.d"
    static let maximumFiles = 256
    /// Maximum size of one file.
    static let maximumBytes = 64 << 10

    /// In the order of the file names. If several files have the same URL, only the first is used.
    package private(set) var servers: [AdministratorsServer] = []
    /// Problems with files and directories, for `status` and the log.
    package private(set) var problems: [AdministratorsFileProblem] = []

    /// Reads the files, which are few and small. An invalid file is skipped and does not affect the others. A missing
    /// directory counts as empty.
    ///
    /// - Parameters:
    ///   - last: the result of the previous read. If the system fails to read the directory or a file, the previous
    ///     content stays in effect. This does not apply to invalid content.
    ///   - isNamed: the directory was given explicitly, so that it is an error if it is missing.
    package init(directory path: String, after last: AdministratorsServers? = nil, isNamed: Bool = false) {
        do {
            if let directory = try AdministratorsDirectory(path) {
                read(directory, try directory.names().filter { Kind($0) != nil }, after: last?.servers ?? [])
            } else if isNamed {
                problems.append(.noDirectory(path: path))
            }
        } catch {
            let isOfSystem = error.isOfSystem
            if isOfSystem { servers = last?.servers ?? [] }
            let reason = AdministratorsFileProblem.reason(error)
            problems.append(.directory(path: path, isKept: isOfSystem, reason: reason))
        }
    }

    private mutating func read(
        _ directory: borrowing AdministratorsDirectory,
        _ names: [String],
        after last: [AdministratorsServer]
    ) {
        if names.count > Self.maximumFiles {
            problems.append(.tooManyFiles(path: directory.path, count: names.count, limit: Self.maximumFiles))
        }
        for name in names.prefix(Self.maximumFiles) {
            let path = directory.path + "/" + name
            do {
                try add(Self.server(try directory.read(name, maximumBytes: Self.maximumBytes), name, path))
            } catch {
                let known = (error as? PlatformError)?.isOfSystem == true ? last.first { $0.path == path } : nil
                if let known { try? add(known) }
                let reason = AdministratorsFileProblem.reason(error)
                problems.append(.file(path: path, isKept: known != nil, reason: reason))
            }
        }
    }

    private mutating func add(_ server: AdministratorsServer) throws(AdministratorsServerFault) {
        if let twin = servers.first(where: { $0.url == server.url }) {
            throw AdministratorsServerFault("\(Printable(twin.path)) has the same server")
        }
        servers.append(server)
    }

    private static func server(_ bytes: [UInt8], _ name: String, _ path: String) throws -> AdministratorsServer {
        let kind = Kind(name) ?? .toml
        let stem = String(name.dropLast(kind.rawValue.count))
        switch kind {
        case .toml:
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw AdministratorsServerFault("it is not UTF-8")
            }
            return try AdministratorsServer(toml: text, path: path, stem: stem)
        case .relativityClient:
            return try AdministratorsServer(relativityClient: bytes, path: path, stem: stem)
        }
    }

    private enum Kind: String, CaseIterable {
        case toml = ".toml"
        case relativityClient = ".relativityClient"

        init?(_ name: String) {
            guard let kind = Self.allCases.first(where: { name.hasSuffix($0.rawValue) }) else { return nil }
            self = kind
        }
    }
}

extension PlatformError {
    /// Whether the system failed to read an existing file. A missing file is not such a failure.
    fileprivate var isOfSystem: Bool {
        if case .system(_, _, let errno) = self { errno != ENOENT } else { false }
    }
}
