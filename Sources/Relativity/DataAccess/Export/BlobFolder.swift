// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform

/// Writes blobs to files `FOLDER/TABLE/KEY-COLUMN.bin`. Names contain ASCII letters, digits, `.` and `_`; other
/// bytes are percent-encoded.
struct BlobFolder: Sendable {
    /// The length above which a key is replaced by `%key` and its SHA-256.
    private static let longestKey = 150

    private let path: String

    /// - Throws: `system` if the folder cannot be created.
    init(_ path: String) throws(ExportError) {
        self.path = path
        try Self.create(path)
    }

    /// Writes a blob, replacing a file of the same name.
    ///
    /// - Parameters:
    ///   - key: the values of the primary key; empty if there is none.
    ///   - row: the number of the row, counted from 1.
    /// - Returns: the path of the file.
    /// - Throws: `system`.
    func write(
        _ bytes: UnsafeRawBufferPointer,
        table: String,
        key: [String],
        row: Int,
        column: String
    ) throws(ExportError) -> String {
        let folder = "\(path)/\(Self.encode(table))"
        try Self.create(folder)
        let keyName = key.map(Self.encode).joined(separator: "-")
        // No encoded key contains "%r" or "%k". A later export counts the rows from 1 again.
        let name =
            if key.isEmpty {
                "%row\(row)"
            } else if keyName.utf8.count > Self.longestKey {
                "%key" + HexText.encode(SHA256.digest(of: Array(keyName.utf8)))
            } else {
                keyName
            }
        let file = "\(folder)/\(name)-\(Self.encode(column)).bin"
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .system(call: "open", path: file, errno: errno) }
        defer { close(descriptor) }
        let code = OpenFile.writeAll(bytes, to: descriptor)
        guard code == 0 else { throw .system(call: "write", path: file, errno: code) }
        return file
    }

    /// Makes all files durable. One call for all is much faster than one for each.
    func synchronize() { sync() }

    private static func create(_ path: String) throws(ExportError) {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw .system(call: "mkdir", path: path, errno: errno)
        }
    }

    /// Encodes a name so that it is one component of a path, and different names stay different.
    private static func encode(_ name: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                encoded.append(byte)
            // Not first, and a hyphen separates the values of a key.
            case UInt8(ascii: ".") where !encoded.isEmpty: encoded.append(byte)
            default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return encoded.isEmpty ? "%" : String(decoding: encoded, as: UTF8.self)
    }
}
