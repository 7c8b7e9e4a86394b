// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport

/// The files of this project, in the directory that contains the tests.
enum Repository {
    struct Unreadable: Error {
        let path: String
    }

    /// Directories of other projects, and of build results.
    private static let skipped: Set<String> = [".build", ".git", ".swiftpm", ".venv", "node_modules"]

    /// Paths of regular files below a folder, relative to the root, sorted.
    static func files(in folder: String = "", ending suffix: String = "") throws -> [String] {
        var found: [String] = []
        var folders = [folder]
        while let folder = folders.popLast() {
            for (name, isFolder) in try entries(of: folder) {
                guard !skipped.contains(name), !name.hasPrefix(".build-") else { continue }
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                if isFolder {
                    folders.append(path)
                } else if name.hasSuffix(suffix) {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }

    /// The bytes of a file as text. Bytes that are not UTF-8 are replaced.
    static func text(_ path: String) throws -> String {
        guard exists(path) else { throw Unreadable(path: path) }
        return TextFile.text(of: "\(Sources.root)/\(path)")
    }

    static func lines(_ path: String) throws -> [Substring] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The module of a file in `Sources/FOLDER/MODULE`.
    static func module(of path: String) -> String? { path.split(separator: "/").dropFirst(2).first.map(String.init) }

    static func exists(_ path: String) -> Bool { access("\(Sources.root)/\(path)", F_OK) == 0 }

    private static func entries(of folder: String) throws -> [(name: String, isFolder: Bool)] {
        let path = "\(Sources.root)/\(folder)"
        guard access(path, R_OK | X_OK) == 0 else { throw Unreadable(path: folder) }
        var entries: [(String, Bool)] = []
        for name in DirectoryListing.names(in: path) {
            var status = stat()
            guard lstat("\(path)/\(name)", &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: entries.append((name, true))
            case S_IFREG: entries.append((name, false))
            default: continue
            }
        }
        return entries
    }
}
