// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import JSON
import LocalAPI
import Platform

/// A vault file sent to or by the daemon. It is encrypted; mode 0600 also prevents offline guessing by other users.
struct SealedFile {
    let bytes: [UInt8]
    /// 64 hexadecimal digits.
    let sha256: String
    let generation: Int64
    let logins: Int64

    /// The file in a method's reply.
    init(_ reply: CredentialsAPI.BackupReply) throws {
        guard let bytes = Base64.decode(reply.file) else { throw JSONShapeError(path: "file", expected: .string) }
        self.bytes = bytes
        sha256 = reply.sha256
        generation = reply.generation
        logins = reply.logins
    }

    /// Fails if there is a file at the path, before the user types a passphrase.
    static func checkFree(_ path: String) throws {
        guard case .file(let place) = try ResultPlace(path) else { return }
        guard access(place, F_OK) != 0 else {
            throw Failure(.failed, "'\(Printable(path))' already exists: choose another file, or move it away")
        }
    }

    func report(at path: String, _ output: OutputOptions) {
        output.report(
            [
                "file": .string(path), "sha256": .string(sha256), "generation": .integer(generation),
                "logins": .integer(logins),
            ],
            else: Facts(["file": path, "sha256": sha256, "generation": "\(generation)", "logins": "\(logins)"]).text
        )
    }

    /// Whether this very file is there already.
    func isAt(_ path: String) -> Bool {
        (try? RegularFile(reading: path, maximumBytes: bytes.count))?.bytes == bytes
    }

    /// Writes the file durably to a new path, and verifies it by reading it back. A pipe is only written to.
    func write(to path: String) throws {
        try ResultFile.create(path, mode: 0o600) { file in
            try bytes.withUnsafeBytes { try file.write($0) }
            try file.synchronize()
            guard !file.isFile || isAt(path), HexText.encode(SHA256.digest(of: bytes)) == sha256 else {
                throw Failure(
                    .damaged,
                    "'\(Printable(path))' was not read back as written: the disk is not reliable"
                )
            }
        }
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do throws(PlatformError) {
            return try UserPath.read(path, maximumBytes: APILimits.vaultBytes)
        } catch .tooLarge {
            throw Failure(.damaged, "'\(Printable(path))' is longer than any vault")
        }
    }

    /// Calls `body` with the file in chunks for the daemon, the last of which is empty.
    static func withPieces<R>(of path: String, _ body: ([UnsafeRawBufferPointer]) throws -> R) throws -> R {
        try read(path).withUnsafeBytes { bytes in
            var pieces: [UnsafeRawBufferPointer] = []
            for start in stride(from: 0, to: bytes.count, by: APILimits.pieceBytes) {
                let end = min(start + APILimits.pieceBytes, bytes.count)
                pieces.append(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            }
            pieces.append(UnsafeRawBufferPointer(start: nil, count: 0))
            do {
                return try body(pieces)
            } catch let error as DaemonError where [.vaultDamaged, .wrongKey].contains(error.code) {
                // The error is about this file, not about the user's vault.
                throw Failure(ExitStatus(error.code), error.message, hint: "relativityd --verify-vault \(path)")
            }
        }
    }
}
