// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Shell commands that fix the permissions of files, for error messages. None of them loses data.
package enum Repair {
    /// Renames the file or directory that is in the place of the daemon's.
    static func moveAway(_ path: String) -> String {
        "mv -n \(ShellWord.quote(path)) \(ShellWord.quote(path + ".aside"))"
    }

    static func own(_ path: String) -> String {
        "sudo chown \(geteuid()) \(ShellWord.quote(path))"
    }

    static func giveToRoot(_ path: String) -> String {
        "sudo chown root:root \(ShellWord.quote(path))"
    }

    static func keepOthersFromWriting(_ path: String) -> String {
        "sudo chmod go-w \(ShellWord.quote(path))"
    }

    static func close(_ path: String, mode: String) -> String {
        "chmod \(mode) \(ShellWord.quote(path))"
    }

    /// Gives this name a file of its own with the same content, so that other hard links to the old one have no
    /// effect.
    static func separate(_ path: String) -> String {
        let copy = ShellWord.quote(path + ".copy")
        return "cp -p \(ShellWord.quote(path)) \(copy) && mv \(copy) \(ShellWord.quote(path))"
    }

    /// Shows the file system of a file that cannot be written because there is no space.
    package static func findRoom(at path: String) -> String {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return "df -h \(ShellWord.quote(directory.isEmpty ? "/" : directory))"
    }
}
