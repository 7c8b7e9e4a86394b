// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// A temporary file without a name, which disappears with the process.
final class SpillFile {
    private let descriptor: Int32
    private let directory: String
    /// The number of bytes.
    private(set) var count = 0

    /// Creates a file in a directory.
    init(in directory: String) throws(PlatformError) {
        self.directory = directory
        descriptor = try TemporaryFiles.unnamed(in: directory)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends bytes.
    func append(_ bytes: [UInt8]) throws(PlatformError) {
        let code = bytes.withUnsafeBytes { OpenFile.writeAll($0, to: descriptor) }
        guard code == 0 else { throw .system(call: "write", subject: directory, errno: code) }
        count += bytes.count
    }

    /// Appends the bytes of a range of the file to an array.
    func read(_ range: Range<Int>, into bytes: inout [UInt8]) throws(PlatformError) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: range.count))
        var done = 0
        while done < range.count {
            let read = bytes.withUnsafeMutableBytes { bytes in
                pread(
                    descriptor,
                    bytes.baseAddress.map { $0 + start + done },
                    range.count - done,
                    range.lowerBound + done
                )
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { throw .system(call: "read", subject: directory, errno: read < 0 ? errno : EIO) }
            done += read
        }
    }
}
