// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import TestSupport
import Testing

@testable import Credentials

/// Hostile files are refused with a command, which these tests run.
@Suite("Refusals and their repairs")
struct RepairTests {
    /// The object that replaces a file.
    enum Fault: String, CaseIterable {
        case link, danglingLink, fifo, directory, device, hardLink, open, otherOwner

        /// The faults that only root can make.
        static let ofRoot: Set<Fault> = [.device, .otherOwner]

        /// Whether the file itself is intact, so that the repair makes it usable.
        var keepsFile: Bool { [.link, .hardLink, .open, .otherOwner].contains(self) }

        func apply(to path: String) -> Int32 {
            switch self {
            case .link: rename(path, path + ".real") + symlink(path + ".real", path)
            case .danglingLink: rename(path, path + ".real") + symlink("nowhere", path)
            case .fifo: rename(path, path + ".real") + mkfifo(path, 0o600)
            case .directory: rename(path, path + ".real") + mkdir(path, 0o700)
            case .device: rename(path, path + ".real") + mknod(path, S_IFCHR | 0o600, makedev(1, 3))
            case .hardLink: Glibc.link(path, path + ".real")
            case .open: chmod(path, 0o644)
            case .otherOwner: chown(path, 65534, 65534)
            }
        }

        /// The device number of /dev/null.
        private func makedev(_ major: dev_t, _ minor: dev_t) -> dev_t { major << 8 | minor }
    }

    private static var faults: [Fault] {
        geteuid() == 0 ? Fault.allCases : Fault.allCases.filter { !Fault.ofRoot.contains($0) }
    }

    /// A name that would break a message, with a command in it.
    private static let directory = "it's\na \u{1B}[31mdirectory"

    private func perform(_ fix: String) async throws {
        // As root the command needs no sudo. Without root no fault requires it.
        try await Command(["bash", "-c", fix.hasPrefix("sudo ") ? String(fix.dropFirst(5)) : fix]).succeed()
    }

    private func fix(_ error: CredentialError?, _ fault: Fault) -> String? {
        guard case .unsafePermissions(_, _, let fix) = error else {
            Issue.record("\(fault) was refused as \(String(describing: error))")
            return nil
        }
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F }, "\(text)")
        #expect(text.hasSuffix("; try: \(fix)"))
        return fix
    }

    private func fixture() throws -> StoreFixture {
        var fixture = try StoreFixture()
        fixture.options.directory = fixture.temporary.path(of: Self.directory)
        return fixture
    }

    @Test(
        "a vault that is not a plain file of the user is refused; the command repairs it or moves it away",
        arguments: faults
    )
    func vault(fault: Fault) async throws {
        let fixture = try fixture()
        let store = try await fixture.created()
        let path = fixture.options.directory + "/vault.rcv"
        #expect(fault.apply(to: path) == 0)
        let unread = fixture.store()
        let load = await #expect(throws: CredentialError.self) { try await unread.load() }
        _ = fix(load, fault)
        #expect(await unread.status.fault != nil)
        #expect(await unread.state == .sealed)
        let refused = await #expect(throws: CredentialError.self) { try await fixture.add(1, to: store) }
        let command = try #require(fix(refused, fault))
        try await perform(command)
        let fresh = fixture.store()
        try await fresh.load()
        #expect(await fresh.state == (fault.keepsFile ? .sealed : .absent))
        if !fault.keepsFile {
            #expect(rename(path + ".real", path) == 0)
        }
        try await fixture.add(1, to: store)
    }

    @Test("the lock file next to it is treated in the same way", arguments: faults)
    func lock(fault: Fault) async throws {
        let fixture = try fixture()
        let store = try await fixture.created()
        #expect(fault.apply(to: fixture.options.directory + "/vault.lock") == 0)
        let refused = await #expect(throws: CredentialError.self) { try await fixture.add(1, to: store) }
        try await perform(try #require(fix(refused, fault)))
        try await fixture.add(1, to: store)
    }

    @Test("the directory is treated in the same way", arguments: [Fault.link, .danglingLink, .open, .otherOwner])
    func directory(fault: Fault) async throws {
        guard Self.faults.contains(fault) else { return }
        let fixture = try fixture()
        let store = try await fixture.created()
        let path = fixture.options.directory
        #expect(fault.apply(to: path) == 0)
        let load = await #expect(throws: CredentialError.self) { try await fixture.store().load() }
        _ = fix(load, fault)
        let refused = await #expect(throws: CredentialError.self) { try await fixture.add(1, to: store) }
        try await perform(try #require(fix(refused, fault)))
        // A linked directory is moved away, unlike a linked file.
        if fault == .link || !fault.keepsFile { #expect(rename(path + ".real", path) == 0) }
        try await fixture.add(1, to: store)
    }

    @Test("a file instead of the directory is refused too")
    func fileForDirectory() async throws {
        let fixture = try StoreFixture()
        fixture.temporary.write([1], to: "data")
        let refused = await #expect(throws: CredentialError.self) { try await fixture.store().load() }
        try await perform(try #require(fix(refused, .link)))
        _ = try await fixture.created()
        #expect(fixture.temporary.names() == ["data", "data.aside"])
    }

    @Test("a lock file with any content is accepted")
    func largeLock() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        #expect(truncate(fixture.options.directory + "/vault.lock", 1 << 30) == 0)
        try await fixture.add(1, to: store)
    }

    @Test("a directory that is swapped for a link during saves is never followed")
    func swapped() async throws {
        let fixture = try StoreFixture()
        let store = try await fixture.created()
        let attempts = Soak.count(2_000, soak: 100_000)
        mkdir(fixture.temporary.path(of: "target"), 0o700)
        symlink(fixture.temporary.path(of: "target"), fixture.temporary.path(of: "link"))
        let swapper = NameSwapper(fixture.options.directory, fixture.temporary.path(of: "link"))
        async let swaps = swapper.run()
        var isThere = false
        var saves = 0
        for _ in 0..<attempts {
            do {
                if isThere { try await store.remove("login 1") } else { try await fixture.add(1, to: store) }
                isThere.toggle()
                saves += 1
            } catch let error as CredentialError {
                guard case .unsafePermissions = error else {
                    Issue.record("refused as \(error)")
                    break
                }
            }
        }
        swapper.stop()
        let swapCount = try await swaps
        #expect(saves > 0 && saves < attempts && swapCount > 0)
        print("\(attempts) attempts, \(saves) saves, \(swapCount) swaps")
        #expect(fixture.temporary.names(in: "target").isEmpty)
        let logins = try await fixture.opened().logins()
        #expect(try await logins == store.logins())
        #expect(logins.count == (isThere ? 1 : 0))
    }
}
