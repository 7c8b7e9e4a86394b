// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Inspection of a vault without a store")
struct VaultInspectionTests {
    private let temporary = TemporaryDirectory()
    private let inspection: VaultInspection

    init() throws {
        mkdir(temporary.path(of: "credentials"), 0o700)
        temporary.write([UInt8](0..<32), to: "credentials/relativityd.vault-key", mode: 0o400)
        let provider = CredentialsDirectory(path: temporary.path(of: "credentials"))
        inspection = VaultInspection(VaultOptions(directory: temporary.path(of: "data"), keyProviders: [provider]))
    }

    private func inspect(_ bytes: [UInt8], anchor: String? = nil) throws -> VerifiedVault {
        temporary.write(bytes, to: "copy", mode: 0o644)
        let seen = try inspection.look(at: temporary.path(of: "copy"))
        #expect(!seen.isInPlace)
        #expect(seen.warnings.count == 1, "a copy that others may read is told, and not refused")
        return try inspection.open(seen, with: .provider(.credentialsDirectory), anchor: anchor)
    }

    @Test("an intact copy opens with its content; every change of it is reported as damage")
    func changes() throws {
        let fixture = try VaultFixture(seed: 8)
        let bytes = try fixture.file(loginCount: 20)
        let proven = try inspect(bytes)
        #expect(proven.loginCount == 20)
        #expect(proven.anchor == nil)
        var random = SeededRandom(seed: 4)
        var refused = 0
        for _ in 0..<400 {
            var changed = bytes
            // After magic and version, whose change is not reported as damage.
            changed[Int.random(in: 12..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            do { _ = try inspect(changed) } catch CredentialError.damaged { refused += 1 }
        }
        for _ in 0..<100 {
            let length = Int.random(in: 1..<bytes.count, using: &random)
            do { _ = try inspect(Array(bytes[..<length])) } catch CredentialError.damaged { refused += 1 }
        }
        #expect(refused == 500)
        #expect(throws: CredentialError.notAVault) { try inspect(Array("no vault".utf8)) }
        #expect(throws: CredentialError.damaged(.size)) { try inspect(bytes + [0]) }
    }

    @Test("a login with a damaged seal is found, although the file's tags are right")
    func entrySeal() throws {
        let fixture = try VaultFixture(seed: 9)
        let vault = try fixture.open(try fixture.file(loginCount: 3))
        var payload = vault.payload
        payload.entries[2].password = payload.entries[1].password
        let mixed = try fixture.seal(payload, header: fixture.header)
        #expect(throws: CredentialError.damaged(.entry)) { try inspect(mixed) }
    }

    @Test("an anchor confirms its own file, rejects an older one, and is ignored for another vault")
    func anchors() throws {
        let fixture = try VaultFixture(seed: 10)
        let old = try fixture.file()
        var header = fixture.header
        header.generation = 2
        header.previousHash = try VaultFile(parsing: old).hash
        let new = try fixture.file(loginCount: 1, header: header)
        let anchor = temporary.path(of: "kept")
        temporary.write(try VaultAnchors.draft(of: try fixture.open(new)).bytes, to: "kept")
        #expect(try inspect(new, anchor: anchor).anchor?.verdict == .current)
        #expect(try inspect(old, anchor: anchor).anchor?.suspicion == .rollbackSuspected(found: 1, known: 2))
        let other = try inspect(try VaultFixture(seed: 99).file(), anchor: anchor).anchor
        #expect(other?.verdict == .unanchored)
        #expect(other?.notes == [AnchorNote(code: .otherVault, place: "file")])
        #expect(throws: CredentialError.self) { try inspect(new, anchor: temporary.path(of: "nothing")) }
    }

    @Test("special files and oversized files are refused without waiting, and a link is followed")
    func files() throws {
        mkfifo(temporary.path(of: "fifo"), 0o600)
        for path in [temporary.path(of: "fifo"), temporary.path, "/dev/zero", temporary.path(of: "nothing")] {
            #expect(throws: CredentialError.self) { try inspection.look(at: path) }
        }
        let descriptor = open(temporary.path(of: "long"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(ftruncate(descriptor, off_t(VaultLimits.fileBytes + 1)) == 0)
        close(descriptor)
        #expect(throws: CredentialError.damaged(.size)) { try inspection.look(at: temporary.path(of: "long")) }
        temporary.write(try VaultFixture().file(), to: "real")
        symlink("real", temporary.path(of: "link"))
        #expect(try inspection.look(at: temporary.path(of: "link")).generation == 1)
    }
}
