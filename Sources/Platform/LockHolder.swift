// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The text of a lock file, which names the process that holds the lock for the error messages of other processes.
package enum LockHolder {
    private static let maximumBytes = 512
    private static let unknown = "another process"

    /// Writes the name of this process. If that fails the file is emptied, so that it does not name an earlier
    /// holder.
    package static func write(into file: borrowing ProtectedFile) {
        do throws(PlatformError) {
            try file.writeAll(Array("process \(getpid()) on \(hostName())\n".utf8))
        } catch {
            try? file.truncate(to: 0)
        }
    }

    /// The process that the file names, for example `process 12 on office`.
    package static func read(from file: borrowing ProtectedFile) -> String {
        guard let bytes = try? file.readAll(maximumBytes: maximumBytes) else { return unknown }
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }
        return text.isEmpty ? unknown : String(String.UnicodeScalarView(text))
    }

    private static func hostName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "this host" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
