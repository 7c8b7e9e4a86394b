// SPDX-License-Identifier: Apache-2.0

import Credentials
import Glibc

/// Measures saves of the vault alternately with the system calls that every save needs. The vault is unlocked.
struct Bench {
    struct Failed: Error {
        let call: String
        let errno: Int32
    }

    let vault: ProbedVault
    let rounds: Int

    /// - Returns: medians in nanoseconds, as a JSON object.
    func run() async throws -> String {
        var saves: [UInt64] = []
        var bare: [UInt64] = []
        var lists: [UInt64] = []
        var unlocks: [UInt64] = []
        let bytes = try contents(of: vault.directory + "/vault.rcv")
        for round in 0..<rounds {
            try settle()
            saves.append(try await timed { try await vault.add("bench \(round)") })
            try settle()
            bare.append(try await timed { try replaceBare(bytes) })
            lists.append(try await timed { _ = try await vault.store.logins() })
            try await vault.store.remove("bench \(round)")
            await vault.store.lock()
            unlocks.append(try await timed { try await vault.store.unlock(.provider(.credentialsDirectory)) })
        }
        let fields = [("save", saves), ("bare", bare), ("list", lists), ("unlock", unlocks)]
        let text = fields.map { name, times in "\"\(name)\": \(times.sorted()[times.count / 2])" }
        return "{" + (text + ["\"bytes\": \(bytes.count)"]).joined(separator: ", ") + "}"
    }

    /// Write, sync, rename, sync: the minimum that leaves the old or the new file after a loss of power.
    private func replaceBare(_ bytes: [UInt8]) throws {
        let directory = open(vault.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let file = openat(directory, "bare.tmp", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer {
            close(file)
            close(directory)
        }
        guard write(file, bytes, bytes.count) == bytes.count else { throw Failed(call: "write", errno: errno) }
        guard fsync(file) == 0 else { throw Failed(call: "fsync", errno: errno) }
        guard renameat(directory, "bare.tmp", directory, "bare") == 0 else {
            throw Failed(call: "rename", errno: errno)
        }
        guard fsync(directory) == 0 else { throw Failed(call: "fsync", errno: errno) }
    }

    /// One measurement must not wait for the pending writes of the other.
    private func settle() throws {
        let directory = open(vault.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw Failed(call: "fsync", errno: errno) }
    }

    private func contents(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failed(call: "open", errno: errno) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { throw Failed(call: "fstat", errno: errno) }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
        guard read(file, &bytes, bytes.count) == bytes.count else { throw Failed(call: "read", errno: errno) }
        return bytes
    }

    private func timed(_ work: () async throws -> Void) async throws -> UInt64 {
        let start = Self.now()
        try await work()
        return Self.now() - start
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
