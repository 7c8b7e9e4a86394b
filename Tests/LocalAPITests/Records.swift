// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Platform
import Testing

/// Every record of the API twice: with all members, and only with the required ones.
enum Records {
    struct Sample: Sendable, CustomTestStringConvertible {
        let type: String
        let interface: String
        let full: JSONObject
        let least: JSONObject
        var testDescription: String { type }
        /// Decodes the record and encodes it again.
        let rewritten: @Sendable (JSONObject) throws -> JSONObject

        init<Record: JSONRecord>(_ type: String, _ interface: String, _ full: Record, _ least: Record) {
            self.type = type
            self.interface = interface
            self.full = full.json
            self.least = least.json
            rewritten = { try Record(json: $0).json }
        }
    }

    static let all = [
        Sample("Source", ManagerAPI.definition, source, source(least: ())),
        Sample("SourceFault", ManagerAPI.definition, fault(7), fault(nil)),
        Sample("Note", ManagerAPI.definition, note(7), note(nil)),
        Sample("Status", ManagerAPI.definition, status(logins: 3), status(logins: nil)),
        Sample("Setting", ManagerAPI.definition, setting(7), setting(nil)),
        Sample("Reason", RegistryAPI.definition, reason("r"), reason(nil)),
        Sample("Endpoint", RegistryAPI.definition, endpoint("x"), endpoint(nil)),
        Sample("Identity", RegistryAPI.definition, identity("h"), identity(nil)),
        Sample("Slot", CredentialsAPI.definition, slot(17), slot(nil)),
        Sample("ProviderFault", CredentialsAPI.definition, providerFault("why"), providerFault(nil)),
        Sample("Provider", CredentialsAPI.definition, provider("why"), provider(nil)),
        Sample("AnchorNote", CredentialsAPI.definition, anchorNote("why"), anchorNote(nil)),
        Sample("Anchor", CredentialsAPI.definition, anchor(7), anchor(nil)),
        Sample("MemoryRefusal", CredentialsAPI.definition, memoryRefusal, memoryRefusal),
        Sample("Vault", CredentialsAPI.definition, vault(7), vault(nil)),
        Sample("Login", CredentialsAPI.definition, login("x"), login(nil)),
        Sample("Step", CredentialsAPI.definition, step, step),
        Sample("Probe", RegistryAPI.definition, probe("r"), probe(nil)),
        Sample("ImportedLogin", CredentialsAPI.definition, imported("why"), imported(nil)),
        Sample("Pin", CredentialsAPI.definition, pin("h"), pin(nil)),
        Sample("Extra", CredentialsAPI.definition, extra, extra),
        Sample("Line", AuditAPI.definition, auditLine("x", 3), auditLine(nil, nil)),
        Sample("Fault", AuditAPI.definition, auditFault(3), auditFault(nil)),
        Sample("Report", AuditAPI.definition, auditReport(auditFault(3), 1), auditReport(nil, nil)),
        Sample("Adapter", BrokerAPI.definition, adapter("x", 9), adapter(nil, nil)),
        Sample("Grant", BrokerAPI.definition, grant(9), grant(nil)),
        Sample("ExchangeNote", BrokerAPI.definition, exchangeNote("x"), exchangeNote(nil)),
        Sample("Exchange", BrokerAPI.definition, exchange("x", 200), exchange(nil, nil)),
    ]

    private static let source = ManagerAPI.Source(
        name: "avahi",
        state: .up,
        fault: fault(7),
        settled: true,
        upSeconds: 1,
        heardSecondsAgo: 2
    )
    private static func fault(_ number: Int64?) -> ManagerAPI.SourceFault {
        let text = number.map { "\($0)" }
        return ManagerAPI.SourceFault(
            code: .etcdReadDenied,
            servers: ["a:1"],
            user: text,
            path: text,
            number: number,
            detail: text
        )
    }
    private static func setting(_ number: Int64?) -> ManagerAPI.Setting {
        let text = number.map { "\($0)" }
        return ManagerAPI.Setting(
            key: "k",
            value: text,
            layer: .administrator,
            file: text,
            line: number,
            variable: text
        )
    }
    private static func note(_ number: Int64?) -> ManagerAPI.Note {
        let text = number.map { "\($0)" }
        return ManagerAPI.Note(
            code: .listFull,
            path: text,
            movedTo: text,
            source: text,
            name: text,
            count: number,
            limit: number,
            needed: number,
            detail: text
        )
    }
    private static func source(least: Void) -> ManagerAPI.Source {
        ManagerAPI.Source(name: "", state: .down, fault: nil, settled: false, upSeconds: nil, heardSecondsAgo: nil)
    }
    private static func identity(_ authority: String?) -> RegistryAPI.Identity {
        RegistryAPI.Identity(
            strength: .tlsKey,
            authority: authority,
            fingerprint: "ab",
            words: "a b",
            address: "::1",
            port: 80,
            vouchedFor: true,
            plaintextPermitted: false
        )
    }
    private static func pin(_ authority: String?) -> CredentialsAPI.Pin {
        CredentialsAPI.Pin(
            endpoint: "e",
            strength: .tlsKey,
            authority: authority,
            fingerprint: "ab",
            words: "a b",
            allowPlaintext: true,
            verified: false,
            logins: ["a"]
        )
    }
    private static let extra = CredentialsAPI.Extra(key: "Level", value: "data")
    private static func auditFault(_ number: Int64?) -> AuditAPI.Fault {
        AuditAPI.Fault(
            file: "audit.jsonl",
            line: 2,
            code: .missing,
            first: number,
            last: number,
            expected: number,
            found: number
        )
    }

    private static func auditLine(_ text: String?, _ number: Int64?) -> AuditAPI.Line {
        AuditAPI.Line(
            sequence: 1,
            time: 2,
            event: "login.added",
            result: "done",
            endpoint: text,
            login: text,
            loginName: text,
            strength: number.map { _ in .tls },
            pid: number,
            claimedBy: number,
            cgroup: text,
            times: number,
            keyed: true
        )
    }

    private static func auditReport(_ fault: AuditAPI.Fault?, _ number: Int64?) -> AuditAPI.Report {
        AuditAPI.Report(
            lines: 3,
            keyed: 2,
            unproved: 1,
            lost: 0,
            first: number,
            last: number,
            unclean: [2],
            fault: fault
        )
    }

    private static func imported(_ reason: String?) -> CredentialsAPI.ImportedLogin {
        CredentialsAPI.ImportedLogin(
            login: "l",
            endpoint: "e",
            name: reason,
            url: reason,
            verdict: reason == nil ? .added : .conflict,
            reason: reason.map { _ in .otherUser },
            needsAgreement: reason == nil
        )
    }

    private static let step = CredentialsAPI.Step(step: "connect", ok: true, detail: "done")

    private static func exchangeNote(_ text: String?) -> BrokerAPI.ExchangeNote {
        BrokerAPI.ExchangeNote(
            code: .message,
            kind: text.map { _ in .pollResponse },
            count: text.map { _ in 28 },
            text: text
        )
    }

    private static func exchange(_ text: String?, _ status: Int64?) -> BrokerAPI.Exchange {
        BrokerAPI.Exchange(
            step: BrokerAPI.Exchange.Step.wrongPassword.rawValue,
            request: "AA==",
            status: status,
            headers: ["Server: x"],
            reply: text,
            notes: [exchangeNote(text)],
            error: text
        )
    }

    private static func reason(_ text: String?) -> RegistryAPI.Reason {
        let number = text.map { Int64($0.utf8.count) }
        return RegistryAPI.Reason(
            code: .notVouched,
            host: text,
            port: number,
            shown: text,
            path: text,
            errno: number,
            detail: text
        )
    }

    private static func probe(_ text: String?) -> RegistryAPI.Probe {
        RegistryAPI.Probe(outcome: text == nil ? .reachable : .conflict, reason: text.map(reason), milliseconds: 3)
    }

    private static func slot(_ log2N: Int64?) -> CredentialsAPI.Slot {
        CredentialsAPI.Slot(
            id: "1a",
            kind: "passphrase",
            label: "p",
            strength: .passphrase,
            scryptLog2N: log2N,
            created: .max
        )
    }

    private static func providerFault(_ text: String?) -> CredentialsAPI.ProviderFault {
        CredentialsAPI.ProviderFault(
            code: .helperNotStarted,
            path: text,
            number: text.map { Int64($0.utf8.count) },
            detail: text
        )
    }

    private static func anchorNote(_ text: String?) -> CredentialsAPI.AnchorNote {
        CredentialsAPI.AnchorNote(code: .notKept, place: "file", fault: text.map(providerFault), detail: text)
    }

    private static func provider(_ reason: String?) -> CredentialsAPI.Provider {
        CredentialsAPI.Provider(
            kind: "key-file",
            available: false,
            reason: reason.map(providerFault),
            strength: .obfuscation,
            proposed: false
        )
    }

    private static func status(logins: Int64?) -> ManagerAPI.Status {
        ManagerAPI.Status(
            version: ProjectVersion.text,
            pid: 1,
            uptimeSeconds: 2,
            sources: [source],
            multicastInterfaces: ["eth0"],
            endpoints: 3,
            droppedSightings: 4,
            malformedSightings: 8,
            cutSightings: 9,
            evictedEndpoints: 10,
            foldedChanges: 11,
            refusedAddresses: 5,
            vault: .sealed,
            logins: logins,
            sessions: 6,
            adapters: 7,
            notes: [note(9)]
        )
    }

    private static func endpoint(_ text: String?) -> RegistryAPI.Endpoint {
        RegistryAPI.Endpoint(
            id: "a",
            name: "Office",
            origin: .manual,
            state: .unreachable,
            stateReason: text.map(reason),
            stateSince: text.map { _ in 8 },
            stateHeard: text.map { _ in 9 },
            url: "http://a:80/bin",
            announcedUrl: text,
            scheme: .http,
            host: "a",
            port: 80,
            path: "/bin",
            addresses: ["10.0.0.1"],
            interfaces: ["eth0"],
            sources: ["avahi"],
            dataService: "DataService",
            loginService: "LoginService",
            serviceType: text,
            domain: text,
            txt: ["a=b"],
            probe: .off,
            hidden: true,
            readOnly: true,
            grantsOnly: false,
            sessionExport: true,
            confirm: false,
            acceptUnknownOwner: true,
            loginDomain: text,
            loginSchema: text,
            codePage: text,
            defaultLogin: text
        )
    }

    private static func anchor(_ number: Int64?) -> CredentialsAPI.Anchor {
        CredentialsAPI.Anchor(
            verdict: .rollbackSuspected,
            found: number,
            known: number,
            places: ["file"],
            notes: [anchorNote(number.map { "\($0)" })]
        )
    }

    private static let memoryRefusal = CredentialsAPI.MemoryRefusal(call: .memfdSecret, errno: 38)

    private static func vault(_ number: Int64?) -> CredentialsAPI.Vault {
        CredentialsAPI.Vault(
            state: .unlocked,
            path: "/v",
            generation: number,
            format: number.map { _ in "1.0" },
            slots: [slot(number)],
            weakestSlot: number.map { _ in "1a" },
            anchor: number.map { anchor($0) },
            memory: number.map { _ in "mlock" },
            memoryRefusals: [memoryRefusal],
            logins: number,
            locksInSeconds: number,
            problem: number.map { _ in "damaged" },
            error: number.map { _ in "org.relativityd.Credentials.VaultDamaged" }
        )
    }

    private static func login(_ text: String?) -> CredentialsAPI.Login {
        CredentialsAPI.Login(
            name: "office",
            origin: .configured,
            endpoint: "a",
            endpointName: text,
            user: "u",
            domain: text,
            schema: text,
            userKey: "User",
            extraKeys: text.map { [$0] } ?? [],
            strength: .tlsKey,
            authority: text,
            pin: "ab",
            allowPlaintext: false,
            verified: true,
            created: .max
        )
    }

    private static func grant(_ pid: Int64?) -> BrokerAPI.Grant {
        BrokerAPI.Grant(
            id: "1",
            directory: "/d",
            socketPath: "/d/s",
            endpoint: "a",
            endpointName: "Office",
            login: "l",
            services: ["S"],
            methods: [],
            readOnly: true,
            pid: pid,
            created: 1,
            expires: 2
        )
    }

    private static func adapter(_ text: String?, _ expires: Int64?) -> BrokerAPI.Adapter {
        var record = BrokerAPI.Adapter(
            id: "1",
            form: "socket",
            url: "u",
            held: true,
            ownSession: false,
            configured: false,
            created: 1
        )
        record.socketPath = text
        record.endpoint = text
        record.endpointName = text
        record.login = text
        record.chosenBy = text.map { _ in .global }
        record.domain = text
        record.schema = text
        record.dataService = text
        record.loginService = text
        record.pid = expires
        record.claimedBy = expires
        record.expires = expires
        return record
    }
}
