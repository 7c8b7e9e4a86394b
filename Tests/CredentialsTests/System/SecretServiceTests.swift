// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Secret Service", .serialized, .timeLimit(.minutes(2)))
struct SecretServiceTests {
    @Test(
        "a failing keyring is reported with its reason, is not replaced, loses nothing and does not hang",
        .enabled(if: Requirement.allMet(SecretServiceFixture.tools))
    )
    func matrix() async throws {
        let fixture = try await SecretServiceFixture()
        var keyring = try await FakeKeyring(on: fixture.bus)
        try await fixture.createVault()
        let file = fixture.stores.temporary.content(of: "data/vault.rcv")
        var reasons: Set<String> = []
        for row in KeyringFault.all {
            keyring.fail(row.fault)
            let started = ContinuousClock.now
            let error = try await fixture.attempt(row.attempt)
            let took = ContinuousClock.now - started
            #expect(took < .seconds(8), "\(row) took \(took)")
            switch (row.outcome, error) {
            case (.unavailable(let words), .providerUnavailable(.secretService, let fault)?):
                #expect("\(fault)".contains(words), "\(row): \(fault)")
                reasons.insert("\(fault)")
            case (.wrongKey, .wrongKey?): break
            default: Issue.record("\(row) came to \(String(describing: error))")
            }
            print("secret-service × \(row): \(error?.description ?? "no error")")
            #expect(fixture.stores.temporary.content(of: "data/vault.rcv") == file, "\(row) changed the vault")
            if row.fault.contains("vanishes") {
                try await keyring.end()
                keyring = try await FakeKeyring(on: fixture.bus)
            }
        }
        keyring.fail("none")
        let store = fixture.stores.store()
        try await store.load()
        #expect(try await store.unlockAutomatically())
        #expect(try await store.logins().count == 1)
        print("secret-service: \(KeyringFault.all.count) faults, \(reasons.count) reasons, 0 fallbacks, 0 losses")
        let left = try await Command(["ps", "--ppid", "\(getpid())", "-o", "stat=,comm="]).run()
        #expect(!left.standardOutput.contains("relativityd-sec"), "every helper was waited for")
    }

    @Test("items of different vaults are stored, replaced, read and removed independently")
    func items() async throws {
        let fixture = try await SecretServiceFixture()
        let keyring = try await FakeKeyring(on: fixture.bus)
        defer { withExtendedLifetime(keyring) {} }
        try await BlockingWork.run { [provider = fixture.provider(), arena = fixture.stores.arena] in
            try provider.probe(in: arena)
            let mine = [UInt8](repeating: 1, count: 16)
            let other = [UInt8](repeating: 2, count: 16)
            func bytes(_ item: KeyringItem, of storeID: [UInt8]) throws -> [UInt8]? {
                guard let found = try provider.find(item, of: storeID, attended: false, in: arena) else { return nil }
                return found.withBytes { Array($0) }
            }
            #expect(try bytes(.key, of: mine) == nil)
            let key = try provider.makeKey(for: mine, in: arena).withBytes { Array($0) }
            let again = try provider.makeKey(for: mine, in: arena).withBytes { Array($0) }
            #expect(key.count == 32 && again == key, "a key that is there stays")
            for fill: UInt8 in [7, 8] {
                let anchor = [UInt8](repeating: fill, count: 80)
                try provider.store(
                    try Secret(copying: anchor, in: arena),
                    as: .anchor,
                    of: mine,
                    attended: false,
                    in: arena
                )
                #expect(try bytes(.anchor, of: mine) == anchor)
            }
            #expect(try bytes(.key, of: other) == nil)
            #expect(try bytes(.key, of: mine) == key)
            try provider.removeKey(for: mine)
            try provider.removeKey(for: mine)
            #expect(try bytes(.key, of: mine) == nil)
            #expect(try bytes(.anchor, of: mine) == nil)
        }
    }

    @Test("a missing bus or keyring, and a helper that is missing, exits, hangs or sends garbage, each have a reason")
    func withoutKeyring() async throws {
        let fixture = try await SecretServiceFixture()
        func reason(_ provider: SecretServiceProvider) async throws -> String {
            let arena = fixture.stores.arena
            let id = [UInt8](repeating: 3, count: 16)
            return try await BlockingWork.run {
                do throws(CredentialError) {
                    _ = try provider.key(for: id, in: arena)
                    return "no error"
                } catch {
                    guard case .providerUnavailable(.secretService, let fault) = error else { return "\(error)" }
                    return "\(fault)"
                }
            }
        }
        #expect(try await reason(fixture.provider()).contains("no Secret Service runs on the session bus"))
        let nowhere = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(fixture.bus.directory.path)/none"]
        #expect(try await reason(fixture.provider(environment: nowhere)).contains("there is no session bus"))
        #expect(try await reason(fixture.provider(environment: [:])).contains("there is no session bus"))
        #expect(
            try await reason(fixture.provider(helper: "/nowhere/helper")).contains("cannot start '/nowhere/helper'")
        )
        for (script, words) in [
            ("kill -KILL $$", "was ended by signal 9"), ("exit 3", "ended with status 3"),
            ("exec sleep 60", "did not answer within"), ("echo nonsense", "has another version"),
            (#"printf '\002\000\377\377'"#, "has another version"),
            (#"printf '\002\000\040\000short'"#, "ended with status 0"),
            (#"while :; do printf '\001\000\000\000'; done"#, "was not answered within"),
        ] {
            fixture.bus.directory.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "helper", mode: 0o700)
            let reason = try await reason(fixture.provider(helper: fixture.bus.directory.path(of: "helper")))
            #expect(reason.contains(words), "\(script): \(reason)")
        }
    }

    @Test(
        "a helper that is killed during a question is an error immediately, and the next question is answered",
        .enabled(if: Requirement.allMet(SecretServiceFixture.tools))
    )
    func killedHelper() async throws {
        let fixture = try await SecretServiceFixture()
        let keyring = try await FakeKeyring(on: fixture.bus)
        let directory = fixture.bus.directory
        let script = "#!/bin/sh\necho $$ >\(directory.path(of: "pid"))\nexec \(SecretServiceFixture.helper)\n"
        directory.write(Array(script.utf8), to: "helper", mode: 0o700)
        var provider = fixture.provider(helper: directory.path(of: "helper"))
        // Longer than this test may take: only the end of the helper ends the question.
        provider.timeout = .seconds(600)
        provider.unattendedTimeout = .seconds(600)
        let (id, arena) = ([UInt8](repeating: 3, count: 16), fixture.stores.arena)
        keyring.fail("silent")
        async let failure = BlockingWork.run { [provider] () -> CredentialError? in
            do throws(CredentialError) { _ = try provider.makeKey(for: id, in: arena) } catch { return error }
            return nil
        }
        var pid: Int32 = 0
        try await eventually {
            let text = String(decoding: directory.content(of: "pid"), as: UTF8.self)
            pid = Int32(text.dropLast()) ?? 0
            return pid > 0 && TextFile.text(of: "/proc/\(pid)/comm").hasPrefix("relativityd-sec")
        }
        kill(pid, SIGKILL)
        #expect(try await failure?.description.contains("was ended by signal 9") == true)
        keyring.fail("none")
        let length = try await BlockingWork.run { [provider] in try provider.makeKey(for: id, in: arena).count }
        #expect(length == 32)
    }

    @Test("the helper gets four environment variables and no arguments")
    func environment() async throws {
        let fixture = try await SecretServiceFixture()
        let directory = fixture.bus.directory
        directory.write(
            Array("#!/bin/sh\n(echo $#; env) >\(directory.path(of: "seen"))\n".utf8),
            to: "helper",
            mode: 0o700
        )
        let provider = fixture.provider(
            helper: directory.path(of: "helper"),
            environment: fixture.bus.environment.merging(["LANG": "C", "SECRET": "canary", "LD_PRELOAD": "x"]) { $1 }
        )
        _ = try? await BlockingWork.run { [arena = fixture.stores.arena] in
            try provider.key(for: [UInt8](repeating: 3, count: 16), in: arena).count
        }
        let seen = String(decoding: directory.content(of: "seen"), as: UTF8.self).split(separator: "\n")
        #expect(seen.first == "0")
        // The shell itself adds the last two.
        let names = Set(seen.dropFirst().compactMap { $0.split(separator: "=").first }).subtracting(["PWD", "_"])
        #expect(names == ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME", "LANG"])
    }
}
