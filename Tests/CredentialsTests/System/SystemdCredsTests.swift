// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import Platform
import TestSupport
import Testing

@testable import Credentials

@Suite("Key provider systemd-creds", .timeLimit(.minutes(1)))
struct SystemdCredsTests {
    private let fixture: StoreFixture
    private let service: SystemdCredsStandIn
    private let provider: SystemdCreds
    private static let storeID = [UInt8](1...16)

    init() throws {
        fixture = try StoreFixture()
        service = try SystemdCredsStandIn(at: fixture.temporary.path(of: "s"))
        provider = SystemdCreds(
            directory: fixture.options.directory,
            socketPath: service.path,
            deadline: .milliseconds(300)
        )
    }

    /// The reason why the provider did not work; nil if it did.
    private func refusal(_ work: () throws(CredentialError) -> Void) -> String? {
        do throws(CredentialError) {
            try work()
            return nil
        } catch {
            guard case .providerUnavailable(.systemdCreds, let fault) = error else { return "wrong error: \(error)" }
            return "\(fault)"
        }
    }

    private func readKey() -> String? {
        refusal { () throws(CredentialError) in _ = try provider.key(for: Self.storeID, in: fixture.arena) }
    }

    @Test("an encrypted key is stored next to the vault, for this vault only, until it is removed")
    func roundTrip() throws {
        defer { service.stop() }
        try provider.probe(in: fixture.arena)
        #expect(readKey()?.contains("there is no '") == true)
        let key = try provider.makeKey(for: Self.storeID, in: fixture.arena)
        #expect(key.count == 32)
        let again = try provider.key(for: Self.storeID, in: fixture.arena).isEqual(to: key)
        #expect(again)
        let same = try provider.makeKey(for: Self.storeID, in: fixture.arena).isEqual(to: key)
        #expect(same)
        let other = try provider.makeKey(for: Self.storeID.reversed(), in: fixture.arena)
        let isSame = other.isEqual(to: key)
        #expect(!isSame)

        let file = "data/" + SystemdCreds.fileName(Self.storeID)
        var facts = stat()
        #expect(stat(fixture.temporary.path(of: file), &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        // systemd does not decrypt it under the name of another vault.
        rename(
            fixture.temporary.path(of: file),
            fixture.temporary.path(of: "data/" + SystemdCreds.fileName(Self.storeID.reversed()))
        )
        let moved = refusal { () throws(CredentialError) in
            _ = try provider.key(for: Self.storeID.reversed(), in: fixture.arena)
        }
        #expect(moved == "the stored key belongs to another vault")

        try provider.removeKey(for: Self.storeID.reversed())
        try provider.removeKey(for: Self.storeID.reversed())
        #expect(fixture.names.isEmpty)
    }

    @Test("every failure of the service is reported in time, and leaves no file", arguments: Fault.allCases)
    func faults(_ fault: Fault) throws {
        defer { service.stop() }
        service.behave(fault, at: fault == .noInterface ? "GetInfo" : "Decrypt")
        let start = ContinuousClock.now
        let make = refusal { () throws(CredentialError) in
            _ = try provider.makeKey(for: Self.storeID, in: fixture.arena)
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        let reason = try #require(make)
        #expect(!reason.hasPrefix("wrong error"), "\(reason)")
        #expect(reason.contains(try #require(Self.expected[fault])), "\(fault): \(reason)")
        #expect(fixture.names.isEmpty)
        #expect(refusal { () throws(CredentialError) in try provider.probe(in: fixture.arena) } == reason)
    }

    typealias Fault = SystemdCredsStandIn.Fault
    private static let expected: [Fault: String] = [
        .noInterface: "does not have io.systemd.Credentials",
        .silent: "no answer in time",
        .hangsUp: "closed the connection",
        .notJSON: "no JSON object",
        .twoReplies: "more than one reply",
        .endless: "longer than 131072 bytes",
        .noMember: "no 'data'",
        .memberTwice: "no JSON object",
        .otherKey: "not read back as written",
        .shortKey: "a key of 32 bytes",
        .longKey: "a key of 32 bytes",
        .notBase64: "a key of 32 bytes",
    ]

    @Test(
        "a refusal of systemd is reported as text, and the stored key stays",
        arguments: [
            ("org.varlink.service.PermissionDenied", "polkit"),
            ("io.systemd.InteractiveAuthenticationRequired", "polkit"),
            ("io.systemd.Credentials.BadFormat", "damaged"),
            ("io.systemd.Credentials.KeyBelongsToOtherTPM", "another TPM"),
            ("io.systemd.Credentials.TPMInDictionaryLockout", "wrong attempts"),
            ("io.systemd.Credentials.UnexpectedPCRState", "this boot"),
            ("io.systemd.Credentials.BadScope", "another user"),
            ("io.systemd.Credentials.NullKeyNotAllowed", "not encrypted"),
            ("io.systemd.Credentials.Neu\u{1B}", #"Neu\u{1b}"#),
            ("io.systemd.System", "errno unknown"),
            ("org.varlink.service.MethodNotFound", "MethodNotFound"),
        ]
    )
    func refusals(_ error: String, _ words: String) throws {
        defer { service.stop() }
        _ = try provider.makeKey(for: Self.storeID, in: fixture.arena)
        service.behave(error: error)
        #expect(readKey()?.lowercased().contains(words.lowercased()) == true, "\(readKey() ?? "nothing")")
        #expect(fixture.names == [SystemdCreds.fileName(Self.storeID)])
        let again = refusal { () throws(CredentialError) in
            _ = try provider.makeKey(for: Self.storeID, in: fixture.arena)
        }
        #expect(again == readKey())
    }

    @Test("without the service, or after it has gone, the provider names its requirements")
    func absent() throws {
        service.stop()
        let nowhere = SystemdCreds(directory: fixture.options.directory, socketPath: "/nowhere/socket")
        let reason = refusal { () throws(CredentialError) in try nowhere.probe(in: fixture.arena) }
        #expect(reason?.contains("systemd 256") == true, "\(reason ?? "")")
        // No process accepts connections on the socket.
        #expect(refusal { () throws(CredentialError) in try provider.probe(in: fixture.arena) } != nil)
    }

    @Test("a damaged key file, one of another vault and one open to others are refused before systemd is called")
    func files() throws {
        defer { service.stop() }
        _ = try provider.makeKey(for: Self.storeID, in: fixture.arena)
        let calls = service.calls.count
        let name = "data/" + SystemdCreds.fileName(Self.storeID)
        for content in ["", "\n", "not base64!", String(repeating: "A", count: 65 << 10)] {
            fixture.temporary.write(Array(content.utf8), to: name, mode: 0o600)
            #expect(readKey()?.contains("is damaged") == true, "\(content.prefix(20))")
        }
        fixture.temporary.write(Array("AAAA".utf8), to: name, mode: 0o644)
        #expect(throws: CredentialError.self) { _ = try provider.key(for: Self.storeID, in: fixture.arena) }
        #expect(service.calls.count == calls)
    }

    @Test("a vault with systemd's key opens again, and another key is a wrong key")
    func vault() async throws {
        defer { service.stop() }
        var fixture = fixture
        fixture.options.keyProviders = [provider]
        let store = fixture.store()
        try await store.load()
        try await store.create(.provider(.systemdCreds))
        #expect(await store.status.slots.map(\.kind) == ["systemd-creds"])
        try await fixture.add(1, to: store)

        let disk = VaultDisk(options: fixture.options)
        #expect(try disk.open(.provider(.systemdCreds)).logins.count == 1)
        service.behave(.otherKey)
        #expect(throws: CredentialError.wrongKey) { try disk.open(.provider(.systemdCreds)) }
        service.behave(error: "org.varlink.service.PermissionDenied")
        #expect(throws: CredentialError.providerUnavailable(.systemdCreds, ProviderFault(code: .systemdDenied))) {
            try disk.open(.provider(.systemdCreds))
        }
    }
}
