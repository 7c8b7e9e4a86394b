// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The commands that messages about files end with. None of them loses data.
package enum Repair {
    /// What stands in the place of a file or directory of ours goes aside.
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

    /// Leaves the content under this name, and the other names with a file of their own.
    static func separate(_ path: String) -> String {
        let copy = ShellWord.quote(path + ".copy")
        return "cp -p \(ShellWord.quote(path)) \(copy) && mv \(copy) \(ShellWord.quote(path))"
    }

    /// Shows the file system of a file that cannot be written for want of room.
    package static func findRoom(at path: String) -> String {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return "df -h \(ShellWord.quote(directory.isEmpty ? "/" : directory))"
    }
}
