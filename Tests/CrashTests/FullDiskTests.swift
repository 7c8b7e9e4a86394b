// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestSupport
import Testing

/// A probe in its own mount namespace, in which the vault's directory is a small tmpfs.
@Suite(
    "Full and read-only disks",
    .enabled(if: Requirement.allMet([.root, .program("unshare"), .program("nsenter"), .program("prlimit")])),
    .timeLimit(.minutes(2))
)
struct FullDiskTests {
    private let fixture = ProbeFixture()

    private func mounted(_ options: String) throws -> ProbeSession {
        mkdir(fixture.data, 0o700)
        let script = "mount --types tmpfs --options mode=700,\(options) tmpfs \"$0\" && exec \"$@\""
        return try ProbeSession(["unshare", "--mount", "sh", "-c", script, fixture.data] + fixture.command)
    }

    /// The path in the tmpfs as seen from outside.
    private func path(of name: String, in probe: ProbeSession) -> String {
        "/proc/\(probe.child.pid)/root\(fixture.data)/\(name)"
    }

    private func vault(in probe: ProbeSession) -> [UInt8] { TextFile.bytes(of: path(of: "vault.rcv", in: probe)) }

    /// Fills the disk except for this many pages.
    private func fill(_ probe: ProbeSession, leaving pages: Int) throws {
        let file = open(path(of: "filler", in: probe), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let page = [UInt8](repeating: 1, count: 4096)
        var written = 0
        while write(file, page, page.count) == page.count { written += 1 }
        try #require(written > pages && errno == ENOSPC)
        #expect(ftruncate(file, (written - pages) * page.count) == 0)
    }

    /// Expects that the save fails for this reason and changes nothing, and that the next one succeeds after `repair`.
    private func expectRefusal(
        _ reason: Int32,
        of probe: ProbeSession,
        repair: () async throws -> Void
    ) async throws {
        let before = vault(in: probe)
        #expect(!before.isEmpty)
        guard case .error(let text) = await probe.send("add refused") else { throw ProbeFixture.Unexpected() }
        #expect(text.contains(String(cString: strerror(reason))), "\(text)")
        #expect(vault(in: probe) == before)
        guard case .ok(let names) = await probe.send("list") else { throw ProbeFixture.Unexpected() }
        #expect(!names.contains("refused"))
        try await repair()
        guard case .ok = await probe.send("add refused") else { throw ProbeFixture.Unexpected() }
        #expect(vault(in: probe) != before)
    }

    @Test("a full disk keeps the old file and reports the error, and the next save succeeds", arguments: [0, 1])
    func full(pages: Int) async throws {
        let probe = try mounted("size=1m")
        #expect(await probe.send("create") == .ok("1"))
        #expect(await probe.send("add one") == .ok("2"))
        try fill(probe, leaving: pages)
        try await expectRefusal(ENOSPC, of: probe) { #expect(unlink(path(of: "filler", in: probe)) == 0) }
        #expect(probe.end() == 0)
    }

    @Test("a disk without a free inode keeps the old file too")
    func noInodes() async throws {
        // For the directory itself, the lock, the vault and one more file.
        let probe = try mounted("size=1m,nr_inodes=4")
        #expect(await probe.send("create") == .ok("1"))
        #expect(await probe.send("add one") == .ok("2"))
        try await expectRefusal(ENOSPC, of: probe) { #expect(unlink(path(of: "vault.rcv.prev", in: probe)) == 0) }
        #expect(probe.end() == 0)
    }

    @Test("a disk that becomes read-only keeps the old file, reports the error, and can still be read")
    func readOnly() async throws {
        let probe = try mounted("size=1m")
        #expect(await probe.send("create") == .ok("1"))
        func remount(_ mode: String) async throws {
            let options = ["mount", "--options", "remount,\(mode)", fixture.data]
            try await Command(["nsenter", "--mount", "--target", "\(probe.child.pid)"] + options).succeed()
        }
        try await remount("ro")
        try await expectRefusal(EROFS, of: probe) { try await remount("rw") }
        #expect(probe.end() == 0)
    }

    @Test("a limit of file size is an error and does not end the process")
    func fileSizeLimit() async throws {
        let probe = try mounted("size=1m")
        #expect(await probe.send("create") == .ok("1"))
        func limit(_ bytes: String) async throws {
            try await Command(["prlimit", "--pid", "\(probe.child.pid)", "--fsize=\(bytes):unlimited"]).succeed()
        }
        // Enough for the holder in the lock file, but not for a vault: the write is short first, and then refused.
        try await limit("4096")
        try await expectRefusal(EFBIG, of: probe) { try await limit("unlimited") }
        #expect(probe.end() == 0)
    }
}
