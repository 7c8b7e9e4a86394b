// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file of a running program.
package struct ProgramFile: Sendable {
    /// Its path when it was started.
    package let path: String
    private let device: UInt
    private let number: UInt

    /// The program of this process.
    ///
    /// - Returns: nil if the system does not show it, or if it has been deleted already.
    package init?() {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &buffer, buffer.count)
        guard length > 0 else { return nil }
        self.init(at: String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// A program that was started from this path just now. Nil if there is no such file.
    init?(at path: String) {
        guard let facts = Self.facts(of: path) else { return nil }
        self.path = path
        (device, number) = (UInt(facts.st_dev), UInt(facts.st_ino))
    }

    /// Whether another file is at the path now. False if there is none.
    package var isReplaced: Bool {
        guard let facts = Self.facts(of: path) else { return false }
        return UInt(facts.st_dev) != device || UInt(facts.st_ino) != number
    }

    private static func facts(of path: String) -> stat? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts : nil
    }
}
