// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing

@testable import relctl

@Suite("Findings of relctl doctor about a login")
struct WayDiagnosisTests {
    private static let endpoint = RegistryAPI.Endpoint.example(
        "e1",
        "office",
        .reachable,
        origin: .manual,
        scheme: .https
    )

    private static func pin(
        _ strength: CredentialsAPI.PinStrength = .tlsKey,
        plain: Bool = false,
        verified: Bool = true
    ) -> CredentialsAPI.Pin {
        CredentialsAPI.Pin(
            endpoint: "e1",
            strength: strength,
            fingerprint: "aa",
            words: "eight words",
            allowPlaintext: plain,
            verified: verified,
            logins: ["clerk"]
        )
    }

    private static func login(
        _ name: String,
        _ origin: CredentialsAPI.Login.Origin = .vault
    ) throws -> CredentialsAPI.Login {
        try CredentialsAPI.Login(json: [
            "name": .string(name), "origin": .string(origin.rawValue), "endpoint": "e1", "user": "u",
            "userKey": "User Id",
            "extraKeys": [], "strength": "tlsKey", "pin": "aa", "allowPlaintext": false, "verified": true, "created": 0,
        ])
    }

    static func vault(_ state: VaultState) -> CredentialsAPI.Vault {
        CredentialsAPI.Vault(
            state: state,
            path: "/v/vault.rcv",
            generation: 3,
            format: "1.0",
            slots: [],
            memoryRefusals: [],
            logins: 1
        )
    }

    private static func findings(
        vault state: VaultState = .unlocked,
        _ change: (inout Way, inout RegistryAPI.Endpoint) throws -> Void
    ) throws -> [Finding] {
        var endpoint = endpoint
        var way = Way(asked: "office", place: .unknown)
        way.probe = RegistryAPI.Probe(outcome: .reachable, reason: nil, milliseconds: 3)
        way.identity = RegistryAPI.Identity(
            strength: .tlsKey,
            fingerprint: "aa",
            words: "eight words",
            address: "10.0.0.1",
            port: 7_099,
            vouchedFor: false,
            plaintextPermitted: false
        )
        way.pin = pin()
        way.logins = [try login("clerk")]
        try change(&way, &endpoint)
        // As the daemon chooses.
        if way.chosen == nil, way.logins.count == 1 { way.chosen = ChosenLogin(way.logins[0].name, by: .onlyOne) }
        if case .unknown = way.place, way.asked == "office" { way.place = .known(endpoint) }
        var facts = DiagnosisTests.facts { _ in }
        facts.vault = vault(state)
        return WayDiagnosis(way, facts).findings.filter { $0.verdict != .ok }
    }

    private static func command(_ findings: [Finding], _ check: String) -> String? {
        guard findings.count == 1, let finding = findings.first, finding.check == check else { return "\(findings)" }
        if case .command(let text)? = finding.remedy { return text }
        return nil
    }

    @Test("a login without an obstacle has no finding")
    func clear() throws {
        #expect(try Self.findings { _, _ in }.isEmpty)
        #expect(
            try Self.findings(vault: .locked) { way, _ in way.logins = [try Self.login("clerk", .configured)] }.isEmpty
        )
    }

    @Test("the doctor never advises plain HTTP if the server is known by its key, or may be")
    func downgrade() throws {
        let failure = RegistryAPI.Probe(outcome: .unreachable, reason: .init(code: .tlsFailed), milliseconds: 9)
        let plain = try Self.findings { way, _ in (way.probe, way.identity, way.pin) = (failure, nil, nil) }
        #expect(Self.command(plain, "reach") == "relctl endpoint set 'e1' --scheme http")
        let pinned = try Self.findings { way, _ in (way.probe, way.identity) = (failure, nil) }
        #expect(Self.command(pinned, "reach") == nil)
        let locked = try Self.findings(vault: .locked) { way, _ in (way.probe, way.pin) = (failure, nil) }
        #expect(locked.map(\.check) == ["reach", "vault-closed"] && Self.command([locked[0]], "reach") == nil)
    }

    @Test("another identity, an unverified one, and plain HTTP without permission are distinguished")
    func identities() throws {
        let other = try Self.findings { way, _ in way.identity?.fingerprint = "bb" }
        #expect(Self.command(other, "identity") == "relctl endpoint repin 'e1'")
        let unvouched = try Self.findings { way, _ in
            way.pin?.authority = "office.example"
            way.identity = nil
            way.probe = RegistryAPI.Probe(
                outcome: .conflict,
                reason: .init(code: .notVouched, detail: "the certificate has expired"),
                milliseconds: 1
            )
        }
        #expect(Self.command(unvouched, "identity") == "relctl endpoint repin 'e1' --trust key")
        let imported = try Self.findings { way, _ in way.pin = Self.pin(verified: false) }
        #expect(Self.command(imported, "agreement") == "relctl endpoint repin 'e1'")
        let plain = try Self.findings { way, _ in way.pin = Self.pin(.address) }
        #expect(Self.command(plain, "agreement") == "relctl endpoint repin 'e1'")
        #expect(try Self.findings { way, _ in way.pin = Self.pin(.address, plain: true) }.isEmpty)
    }

    @Test("the login is the one that the daemon chooses")
    func choice() throws {
        let none = try Self.findings { way, _ in way.logins = [] }
        #expect(Self.command(none, "login") == "relctl login add 'e1'")
        let several = try Self.findings { way, _ in way.logins.append(try Self.login("other")) }
        #expect(Self.command(several, "login") == nil && several[0].verdict == .warning)
        #expect(several[0].remedy?.text.contains("--login") == true)
        #expect(
            try Self.findings { way, _ in
                way.logins.append(try Self.login("other"))
                way.chosen = ChosenLogin("other", by: .file)
            }.isEmpty
        )
        let wrong = try Self.findings { way, _ in way.chosen = ChosenLogin("gone", by: .option) }
        #expect(Self.command(wrong, "login") == nil && wrong[0].evidence?.contains("'clerk'") == true)
        let missing = try Self.findings { way, _ in way.chosen = ChosenLogin("gone", by: .environment) }
        #expect(missing[0].verdict == .fault && missing[0].evidence?.contains("'clerk'") == true)
    }

    @Test("a refused login is reported with its name quoted for a shell, and never as an option")
    func refused() throws {
        let hostile = "-x'; $(reboot) \u{1B}[31m"
        let findings = try Self.findings { way, _ in
            way.logins = [try Self.login(hostile)]
            way.refusedAt = 1_700_000_000
        }
        let command = try #require(Self.command(findings, "login"))
        #expect(command.hasPrefix("relctl login edit --password -- $'-x\\x27; $(reboot) "))
        #expect(!command.unicodeScalars.contains("\u{1B}") && !findings[0].finding.unicodeScalars.contains("\u{1B}"))
        #expect(findings[0].evidence?.contains("2023-11-14") == true)
    }

    @Test("the result of a tested login replaces the remembered one")
    func tried() throws {
        func tried(_ error: DaemonError.Code?, scheme: RegistryAPI.Scheme = .https) throws -> [Finding] {
            try Self.findings { way, endpoint in
                endpoint.scheme = scheme
                way.refusedAt = 1
                let step = CredentialsAPI.Step(step: "login", ok: error == nil, detail: "so it was")
                way.trial = Way.Trial(steps: [step], error: error)
            }
        }
        #expect(try tried(nil).isEmpty)
        #expect(Self.command(try tried(.loginRejected), "login") == "relctl login edit --password 'clerk'")
        #expect(
            Self.command(try tried(.protocolFailure, scheme: .http), "login")
                == "relctl endpoint set 'e1' --scheme https"
        )
        #expect(Self.command(try tried(.endpointUnreachable), "login") == nil)
    }

    @Test("in the list, conflicts, hidden servers, and servers with another announced URL are reported")
    func list() throws {
        func findings(_ change: (inout RegistryAPI.Endpoint) -> Void) -> [Finding] {
            var endpoint = Self.endpoint
            change(&endpoint)
            return Diagnosis(DiagnosisTests.facts { $0.endpoints = [endpoint] }).findings.filter { $0.verdict != .ok }
        }
        #expect(findings { _ in }.isEmpty)
        #expect(Self.command(findings { $0.hidden = true }, "hidden") == "relctl unhide 'e1'")
        let conflict = findings { $0.state = .conflict }
        #expect(Self.command(conflict, "conflict") == nil && conflict[0].verdict == .warning, "nobody can pin it anew")
        let otherwise = findings { $0.announcedUrl = "http://10.0.0.1:7099/it's" }
        let command = #"relctl endpoint set 'e1' --scheme http --path '/it'\''s'"#
        #expect(Self.command(otherwise, "announced-otherwise") == command)
        let accepting = findings { $0.acceptUnknownOwner = true }
        #expect(Self.command(accepting, "unknown-owner") == "relctl endpoint set 'e1' --accept-unknown-owner off")
    }

    @Test("a damaged or older vault is reported with the available replacements")
    func vault() throws {
        func findings(
            _ error: DaemonError.Code?,
            files: [String] = [],
            _ anchor: CredentialsAPI.Anchor? = nil
        ) -> [Finding] {
            let facts = DiagnosisTests.facts {
                var vault = Self.vault(.unlocked)
                (vault.error, vault.problem, vault.anchor) = (error?.rawValue, error.map { _ in "a problem" }, anchor)
                $0.vault = vault
                $0.files = files.map { FileFacts(path: $0, isDirectory: false, owner: 1_000, mode: 0o600) }
            }
            return Diagnosis(facts).findings.filter { $0.verdict != .ok }
        }
        #expect(findings(nil).isEmpty)
        #expect(Self.command(findings(.vaultDamaged, files: ["/v/vault.rcv"]), "vault") == nil)
        let files = ["/v/vault.rcv", "/v/vault.rcv.prev"]
        let damaged = try #require(Self.command(findings(.vaultDamaged, files: files), "vault"))
        #expect(damaged.hasPrefix("mv -n '/v/vault.rcv' '/v/vault.rcv.damaged' && cp -pn '/v/vault.rcv.prev' "))
        #expect(Self.command(findings(.formatTooNew), "vault") == nil)
        #expect(Self.command(findings(.unsafeStore), "vault") == nil)
        let anchor = CredentialsAPI.Anchor(verdict: .rollbackSuspected, found: 7, known: 9, places: [], notes: [])
        #expect(Self.command(findings(nil, anchor), "vault") == "relctl vault accept --generation 7")
    }

    @Test("an unknown name and an ambiguous name are reported as such")
    func unknown() throws {
        let unknown = try Self.findings { way, _ in way.asked = "of'fice" }
        #expect(Self.command(unknown, "endpoint") == nil)
        #expect(unknown[0].remedy?.text.hasSuffix(#"relctl add 'of'\''fice' ADDRESS"#) == true)
        let several = try Self.findings { way, _ in way.place = .ambiguous(["e1", "e2"]) }
        #expect(several[0].evidence == "their ids are e1, e2")
    }
}
