// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file of a running program.
package struct ProgramFile: Sendable {
    /// Its path when it was started.
    package let path: String
    private let device: UInt
    private let number: UInt
    /// A path of the file that was started, also after another one is at `path`.
    private let running: String

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
    init?(at path: String, running: String = "/proc/self/exe") {
        guard let facts = Self.facts(of: path) else { return nil }
        self.path = path
        self.running = running
        (device, number) = (UInt(facts.st_dev), UInt(facts.st_ino))
    }

    /// Whether a file with another content is at the path now. False if there is none. After a new installation of the
    /// same program this reads both files, so call it on a thread that may block.
    package var isReplaced: Bool {
        guard let facts = Self.facts(of: path) else { return false }
        guard UInt(facts.st_dev) != device || UInt(facts.st_ino) != number else { return false }
        guard let own = Self.facts(of: running), own.st_size == facts.st_size else { return true }
        return !Self.haveEqualBytes(path, running)
    }

    private static func haveEqualBytes(_ first: String, _ second: String) -> Bool {
        let files = [first, second].map { (path: String) in open(path, O_RDONLY | O_CLOEXEC) }
        defer { for file in files where file >= 0 { close(file) } }
        guard files.allSatisfy({ $0 >= 0 }) else { return false }
        var buffers = [[UInt8]](repeating: [UInt8](repeating: 0, count: 64 << 10), count: 2)
        while true {
            let counts = files.indices.map { read(files[$0], &buffers[$0], buffers[$0].count) }
            guard counts[0] == counts[1], counts[0] >= 0 else { return false }
            guard buffers[0].prefix(counts[0]) == buffers[1].prefix(counts[0]) else { return false }
            if counts[0] == 0 { return true }
        }
    }

    private static func facts(of path: String) -> stat? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts : nil
    }
}
