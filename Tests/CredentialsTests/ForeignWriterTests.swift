// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Programs that write without the lock")
struct ForeignWriterTests {
    private let temporary = TemporaryDirectory()
    private let fixture: VaultFixture
    private let folder: VaultFolder

    init() throws {
        fixture = try VaultFixture()
        folder = VaultFolder(
            directory: try ProtectedDirectory(temporary.path),
            random: SystemRandom(),
            lockTimeout: .seconds(1)
        )
    }

    private func bytes(_ name: String = VaultFolder.fileName) throws -> [UInt8]? {
        try AtomicFile.read(name, in: folder.directory, maximumBytes: VaultLimits.fileBytes)
    }

    /// Saves a change, during which another program runs `meddle`.
    private func save(while meddle: () -> Void) throws {
        let old = try fixture.file(loginCount: 1)
        temporary.write(old, to: VaultFolder.fileName)
        let vault = try fixture.open(old)
        _ = try vault.save(in: folder) { vault, draft throws(CredentialError) in
            draft.payload.entries.removeAll()
            meddle()
        }
    }

    @Test(
        "a file that was replaced or changed between reading and saving is a conflict and stays",
        arguments: [true, false]
    )
    func replaced(atOnce: Bool) throws {
        let foreign = try VaultFixture(seed: 9).file(loginCount: 2)
        #expect(throws: CredentialError.conflict(reason: "it was replaced during the save")) {
            try save {
                if atOnce {
                    temporary.write(foreign, to: "foreign")
                    rename(temporary.path(of: "foreign"), temporary.path(of: VaultFolder.fileName))
                } else {
                    let file = open(temporary.path(of: VaultFolder.fileName), O_WRONLY | O_TRUNC)
                    _ = write(file, foreign, foreign.count)
                    close(file)
                }
            }
        }
        #expect(try bytes() == foreign)
        #expect(temporary.names() == [VaultLock.fileName, VaultFolder.fileName])
    }

    @Test("a link in place of the file is a conflict and is not followed")
    func link() throws {
        temporary.write([1, 2, 3], to: "target")
        #expect(throws: CredentialError.conflict(reason: "it was replaced during the save")) {
            try save {
                unlink(temporary.path(of: VaultFolder.fileName))
                symlink("target", temporary.path(of: VaultFolder.fileName))
            }
        }
        #expect(try bytes("target") == [1, 2, 3])
        #expect(temporary.names() == ["target", VaultLock.fileName, VaultFolder.fileName])
    }

    @Test("a removed file is a conflict and is not written again")
    func removed() throws {
        #expect(throws: CredentialError.conflict(reason: "the file is gone")) {
            try save { unlink(temporary.path(of: VaultFolder.fileName)) }
        }
        #expect(temporary.names() == [VaultLock.fileName])
    }

    @Test("a vault that appears while the first one is made stays")
    func appeared() throws {
        let foreign = try VaultFixture(seed: 9).file(loginCount: 2)
        let vault = try fixture.open(fixture.file())
        #expect(throws: CredentialError.vaultExists(path: folder.path)) {
            _ = try folder.save(previous: .removed) { _ throws(CredentialError) in
                temporary.write(foreign, to: VaultFolder.fileName)
                return VaultDraft(after: vault)
            }
        }
        #expect(try bytes() == foreign)
        #expect(temporary.names() == [VaultLock.fileName, VaultFolder.fileName])
    }
}
