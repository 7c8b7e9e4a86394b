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
    init(_ reply: some VaultFileReply) throws {
        guard let bytes = Base64.decode(reply.file) else { throw JSONShapeError(path: "file", expected: .string) }
        self.bytes = bytes
        sha256 = reply.sha256
        generation = reply.generation
        logins = reply.logins
    }

    /// Fails if the path exists, before the user types a passphrase.
    static func checkFree(_ path: String) throws {
        guard access(path, F_OK) != 0 else {
            throw Failure(.failed, "'\(Printable(path))' already exists: choose another file, or move it away")
        }
    }

    func tell(at path: String, _ output: OutputOptions) {
        output.tell(
            [
                "file": .string(path), "sha256": .string(sha256), "generation": .integer(generation),
                "logins": .integer(logins),
            ],
            else: Facts(["file": path, "sha256": sha256, "generation": "\(generation)", "logins": "\(logins)"]).text
        )
    }

    /// Whether the path already contains exactly this file.
    func isAt(_ path: String) throws -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return try Self.readAll(descriptor, path) == bytes
    }

    /// Writes the file durably to a new path, and verifies it by reading it back.
    func write(to path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot be created", path) }
        defer { close(descriptor) }
        do {
            try Self.writeAll(bytes, to: descriptor, path)
            guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure("cannot be read back", path) }
            guard try Self.readAll(descriptor, path) == bytes, HexText.encode(try SHA256.digest(of: bytes)) == sha256
            else {
                throw Failure(
                    .damaged,
                    "'\(Printable(path))' was not read back as written: the disk is not reliable"
                )
            }
            guard fsync(descriptor) == 0 else { throw Self.failure("cannot be synced to disk", path) }
        } catch {
            unlink(path)
            throw error
        }
        Self.synchronizeDirectory(of: path)
    }

    /// Calls `body` with the file in chunks for the daemon, the last of which is empty.
    static func withPieces<R>(of path: String, _ body: ([UnsafeRawBufferPointer]) throws -> R) throws -> R {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure("cannot be opened", path) }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.failed, "'\(Printable(path))' is not a regular file")
        }
        let bytes = try readAll(descriptor, path)
        return try bytes.withUnsafeBytes { bytes in
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

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("cannot be written", path) }
            rest = rest.dropFirst(count)
        }
    }

    private static func readAll(_ descriptor: Int32, _ path: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: APILimits.pieceBytes)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("cannot be read", path) }
            guard count > 0 else { return bytes }
            bytes += block[..<count]
            guard bytes.count <= APILimits.vaultBytes else {
                throw Failure(
                    .damaged,
                    "'\(Printable(path))' is too large for a vault"
                )
            }
        }
    }

    /// Syncs the directory, which makes the name of a new file durable. Not all file systems support this.
    private static func synchronizeDirectory(of path: String) {
        let end = path.lastIndex(of: "/")
        let directory = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ what: String, _ path: String) -> Failure {
        Failure(
            .failed,
            "'\(Printable(path))' \(what): \(String(cString: strerror(errno)))"
        )
    }
}
