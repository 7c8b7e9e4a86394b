// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

/// A text that the user changes in an editor: a file of mode 0600 in a new folder of mode 0700.
struct EditedFile {
    private static let mostBytes = 64 << 20

    let path: String
    private let folder: String
    private let original: [UInt8]

    /// Creates the file in `$XDG_RUNTIME_DIR`, otherwise in `$TMPDIR` or `/tmp`.
    ///
    /// - Throws: `PlatformError`.
    init(_ text: String) throws(PlatformError) {
        let parent = Environment.ofProcess().privateTemporaryDirectory
        folder = try TemporaryFiles.newDirectory("relctl", in: parent)
        // Editors know the syntax.
        path = folder + "/row.toml"
        original = Array(text.utf8)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0o600)
        let code = file < 0 ? errno : original.withUnsafeBytes { OpenFile.writeAll($0, to: file) }
        if file >= 0 { close(file) }
        guard code == 0 else {
            remove()
            throw .system(call: "write", subject: path, errno: code)
        }
    }

    /// Runs `$VISUAL` or `$EDITOR`, by default `vi`, and returns the text after it has ended.
    ///
    /// - Throws: a failure if the editor cannot be run or fails, or if the text is not UTF-8; `PlatformError`.
    func edit() throws -> String {
        let editor = Self.editor
        // As in git: the variable is a command line for a shell.
        let status = try RunningProgram(["/bin/sh", "-c", "\(editor) \"$@\"", editor, path]).waitForEnd()
        guard status == 0 else {
            throw Failure(.failed, "nothing was changed: '\(Printable(editor))' ended with status \(status)")
        }
        guard let text = String(validating: try content(), as: UTF8.self) else {
            throw Failure(.failed, "nothing was changed: the text is not UTF-8")
        }
        return text
    }

    /// Whether the file has another text than at the beginning.
    var isChanged: Bool { (try? content()).map { $0 != original } ?? false }

    /// Removes the file, and what an editor left next to it.
    func remove() {
        if let directory = try? ProtectedDirectory(folder), let names = try? directory.names() {
            for name in names { try? directory.remove(name) }
        }
        rmdir(folder)
    }

    private func content() throws(PlatformError) -> [UInt8] {
        // An editor may have replaced the file.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard file >= 0 else { throw .system(call: "open", subject: path, errno: errno) }
        defer { close(file) }
        return try OpenFile.readAll(file, path: path, maximumBytes: Self.mostBytes)
    }

    private static var editor: String {
        for name in ["VISUAL", "EDITOR"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty { return value }
        }
        return "vi"
    }
}
