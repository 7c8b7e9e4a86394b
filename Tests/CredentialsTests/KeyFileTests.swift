// SPDX-License-Identifier: Apache-2.0

import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Key file")
struct KeyFileTests {
    private let temporary = TemporaryDirectory()
    private let storeID = [UInt8](repeating: 0xA1, count: 16)

    private var directory: String { temporary.path(of: "state") }
    private var path: String { directory + "/" + KeyFile.name(for: storeID) }

    @Test("a key is made once, closed to others, and removed with its slot")
    func life() throws {
        let arena = try SecretArena()
        let provider = KeyFile(directory: directory)
        #expect(isUnavailable(provider, arena))
        let made = try provider.makeKey(for: storeID, in: arena)
        let again = try provider.makeKey(for: storeID, in: arena)
        let read = try provider.key(for: storeID, in: arena)
        let areSame = made.isEqual(to: again) && made.isEqual(to: read)
        #expect(areSame && made.count == 32)
        var facts = stat()
        #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        #expect(temporary.names(in: "state").count == 1)
        try provider.probe(in: arena)
        #expect(temporary.names(in: "state").count == 1)
        try provider.removeKey(for: storeID)
        try provider.removeKey(for: storeID)
        #expect(isUnavailable(provider, arena))
    }

    @Test("a key is read only from 32 bytes or hexadecimal digits")
    func forms() throws {
        let arena = try SecretArena()
        let provider = KeyFile(directory: directory)
        mkdir(directory, 0o700)
        let name = "state/" + KeyFile.name(for: storeID)
        for content in [[UInt8](repeating: 0xAB, count: 32), Array((String(repeating: "Ab", count: 32) + "\n").utf8)] {
            temporary.write(content, to: name)
            let key = try provider.key(for: storeID, in: arena)
            #expect(key.withBytes { Array($0) } == [UInt8](repeating: 0xAB, count: 32))
        }
        for content in ["", "short", String(repeating: "g", count: 64) + "\n", String(repeating: "a", count: 66)] {
            temporary.write(Array(content.utf8), to: name)
            #expect(isUnavailable(provider, arena), "\(content)")
            #expect(isUnavailable(provider, arena, making: true), "nothing is replaced")
        }
    }

    @Test("a file or directory that others could access is refused with the command that closes it")
    func open() throws {
        let arena = try SecretArena()
        let provider = KeyFile(directory: directory)
        #expect(failure(provider, arena, making: true) == nil)
        for (place, mode) in [(path, mode_t(0o640)), (directory, mode_t(0o750))] {
            chmod(place, mode)
            guard case .unsafePermissions(_, _, let fix) = failure(provider, arena) else {
                Issue.record("\(place) was read")
                continue
            }
            #expect(fix.hasPrefix("chmod "))
            chmod(place, place == path ? 0o600 : 0o700)
        }
    }

    /// The reason why the key cannot be read; nil if it can.
    private func failure(_ provider: KeyFile, _ arena: SecretArena, making: Bool = false) -> CredentialError? {
        do throws(CredentialError) {
            let key =
                making
                ? try provider.makeKey(for: storeID, in: arena) : try provider.key(for: storeID, in: arena)
            return key.count == 32 ? nil : .damaged(.size)
        } catch {
            return error
        }
    }

    private func isUnavailable(_ provider: KeyFile, _ arena: SecretArena, making: Bool = false) -> Bool {
        guard case .providerUnavailable(.keyFile, _) = failure(provider, arena, making: making) else { return false }
        return true
    }
}
