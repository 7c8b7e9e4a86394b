// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Platform

/// The servers that the administrator laid down for all users, one in each file of a directory: `*.toml` and the
/// vendor's `*.relativityClient`.
package struct AdministratorsServers: Sendable {
    package static let usualDirectory = "/etc/relativityd/endpoints.d"
    static let maximumFiles = 256
    /// Of one file.
    static let maximumBytes = 64 << 10

    /// In the order of the files' names; of several with the same URL the first.
    package private(set) var servers: [AdministratorsServer] = []
    /// What could not be taken, each with the reason and, where there is one, the command that helps: for `status`.
    package private(set) var problems: [String] = []

    /// Reads the files, which are few and small. A faulty one is left out and hurts no other; a directory that is not
    /// there holds none.
    package init(directory path: String) {
        do {
            guard let directory = try AdministratorsDirectory(path) else { return }
            read(directory, try directory.names().filter { Kind($0) != nil })
        } catch {
            problems.append("the administrator's servers are not taken: \(error)")
        }
    }

    private mutating func read(_ directory: borrowing AdministratorsDirectory, _ names: [String]) {
        if names.count > Self.maximumFiles {
            problems.append(
                "of \(names.count) files in \(directory.path) only the first \(Self.maximumFiles) are taken"
            )
        }
        for name in names.prefix(Self.maximumFiles) {
            let path = directory.path + "/" + name
            do {
                let server = try Self.server(try directory.read(name, maximumBytes: Self.maximumBytes), name, path)
                if let twin = servers.first(where: { $0.url == server.url }) {
                    throw AdministratorsServerFault("\(Printable(twin.path)) has the same server")
                }
                servers.append(server)
            } catch let error as PlatformError {
                problems.append("a server's file is not taken: \(error)")
            } catch {
                problems.append("the server's file '\(Printable(path))' is not taken: \(error)")
            }
        }
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
