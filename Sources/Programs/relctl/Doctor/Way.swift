// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// The path from the name of a server to a working login, examined as far as possible without sending a password.
struct Way {
    enum Place {
        case known(RegistryAPI.Endpoint)
        case unknown
        /// The IDs of the servers with this name.
        case ambiguous([String])
    }

    /// The name as typed.
    var asked: String
    var place: Place
    /// The result of a probe; nil if the daemon did not return one.
    var probe: RegistryAPI.Probe?
    /// The server's current identity; nil if unknown.
    var identity: RegistryAPI.Identity?
    /// The endpoint's pin; nil if it has none, or while the vault is not unlocked.
    var pin: CredentialsAPI.Pin?
    /// The addresses of an endpoint that has alternates.
    var addresses: [CredentialsAPI.Address] = []
    /// The endpoint's logins that are known.
    var logins: [CredentialsAPI.Login] = []
    /// The login that was chosen, with its chooser.
    var chosen: ChosenLogin?
    /// The time in seconds since 1970 at which the server rejected the login, if that is its last recorded result.
    var refusedAt: Int64?
    /// The result of `--try`; nil without it.
    var trial: Trial?

    struct Trial {
        var steps: [CredentialsAPI.Step]
        var error: DaemonError.Code?
    }

    /// The login that would be used; nil if undetermined.
    var login: CredentialsAPI.Login? { chosen.flatMap { chosen in logins.first { $0.name == chosen.name } } }
}

extension Way {
    /// The named login may be in the vault, which is locked.
    struct LoginLockedUp: Error {}

    /// Queries the daemon step by step. No password is sent unless `isTried` is set.
    ///
    /// - Parameters:
    ///   - endpoint: an ID or name; nil for the login's endpoint.
    ///   - login: the name of a login.
    ///   - isTried: logs in and out once, even if the server has rejected the login before.
    /// - Throws: `Failure` if the login is unknown; `LoginLockedUp`.
    static func gathered(
        to endpoint: String?,
        login: String?,
        isTried: Bool,
        _ facts: DoctorFacts,
        _ client: DaemonClient
    ) throws -> Way {
        // Without a vault the call fails, and the list is empty.
        let all: [CredentialsAPI.Login] = client.readable(CredentialsAPI.ListLoginsCall(), "logins")
        let chosen = try? client.call(
            BrokerAPI.ChooseCall(endpoint: endpoint, login: login, preferredLogin: ChosenLogin.preferred)
        )
        let name = try endpoint ?? chosen?.endpoint ?? place(ofLogin: login ?? "", among: all, facts)
        var way = Way(asked: name, place: place(of: chosen?.endpoint ?? name, client))
        guard case .known(let record) = way.place else { return way }
        way.logins = all.filter { $0.endpoint == record.id }
        way.chosen =
            chosen.map { ChosenLogin($0.login, by: .init($0.chosenBy)) } ?? login.map { ChosenLogin($0, by: .option) }
        way.probe = try? client.call(RegistryAPI.ProbeCall(endpoint: record.id), within: .seconds(10)).probe
        if way.probe?.outcome != .unreachable { way.identity = try? RegistryAPI.Identity.fetch(record.id, client) }
        way.pin = (try? CredentialsAPI.Pin.fetch(record.id, client)) ?? nil
        way.addresses = CredentialsAPI.Address.several(of: record.id, client)
        guard let login = way.login else { return way }
        way.refusedAt = refusal(of: login, client)
        if isTried { way.trial = try trial(of: login, client) }
        return way
    }

    private static func place(
        ofLogin name: String,
        among logins: [CredentialsAPI.Login],
        _ facts: DoctorFacts
    ) throws -> String {
        guard let login = logins.first(where: { $0.name == name }) else {
            if Diagnosis.closedVault(facts) != nil { throw LoginLockedUp() }
            throw Failure(
                .notFound,
                facts.logins.missing == nil ? "there is no such login" : "the vault is locked",
                hint: facts.logins.missing == nil ? "relctl login list" : "relctl vault unlock"
            )
        }
        return login.endpoint
    }

    private static func place(of name: String, _ client: DaemonClient) -> Place {
        do {
            return .known(try RegistryAPI.Endpoint.fetch(name, client))
        } catch let error as DaemonError where error.code == .endpointAmbiguous {
            return .ambiguous(error.candidates ?? [])
        } catch {
            return .unknown
        }
    }

    /// The time of the login's last line in the audit log, if the line records a rejection. A login that was not sent,
    /// because another server answered, was not rejected.
    private static func refusal(of login: CredentialsAPI.Login, _ client: DaemonClient) -> Int64? {
        let uses: Set = ["password.used", "login.tested", "login.edited", "login.added", "conflict.seen"]
        let lines = try? client.call(AuditAPI.ListCall(count: 1_000)).lines
        let last = lines?.last { uses.contains($0.event) && $0.loginName == login.name }
        return last?.result == "refused" && last?.event != "conflict.seen" ? last?.time : nil
    }

    private static func trial(of login: CredentialsAPI.Login, _ client: DaemonClient) throws -> Trial {
        let reply = try client.call(CredentialsAPI.TestLoginCall(login: login.name), within: DaemonClient.slow)
        return Trial(steps: reply.steps, error: reply.error.flatMap(DaemonError.Code.init(rawValue:)))
    }
}

/// Evaluates the path to one server: why a login fails.
struct WayDiagnosis {
    let findings: [Finding]
    /// Whether the network must be checked too, because the server should have been discovered.
    let isOfNetwork: Bool

    init(_ way: Way, _ facts: DoctorFacts) {
        switch way.place {
        case .unknown:
            findings = [Self.unknown(way)]
            isOfNetwork = true
        case .ambiguous(let candidates):
            findings = [Self.ambiguous(way, candidates)]
            isOfNetwork = false
        case .known(let endpoint):
            isOfNetwork = endpoint.origin == .discovered && way.probe?.outcome == .unreachable
            let step = Step(
                way: way,
                endpoint: endpoint,
                isVaultOpen: facts.vault.map { $0.state == .unlocked || $0.state == .absent } ?? false
            )
            let needsVault = way.login?.origin != .configured
            findings =
                step.reach
                + [
                    Diagnosis.otherwise(endpoint), Diagnosis.unknownOwner(endpoint), step.identity, step.agreement,
                    step.clients,
                ]
                .compactMap { $0 }
                + (needsVault ? Diagnosis.closedVault(facts).map { [$0] } ?? step.logins : step.logins)
        }
    }

    private static func unknown(_ way: Way) -> Finding {
        .fault(
            "endpoint",
            "there is no server '\(Printable(way.asked))' in the list",
            seen: "neither an id nor a name in 'relctl list --all'",
            .advice("if it does not announce itself: relctl add \(ShellWord.quote(way.asked)) ADDRESS")
        )
    }

    private static func ambiguous(_ way: Way, _ candidates: [String]) -> Finding {
        .fault(
            "endpoint",
            "several servers have the name '\(Printable(way.asked))'",
            seen: "their ids are \(candidates.map { "\(Printable($0))" }.joined(separator: ", "))",
            .advice("use one of these ids instead of the name")
        )
    }

    /// The checks of a known endpoint.
    private struct Step {
        let way: Way
        let endpoint: RegistryAPI.Endpoint
        /// Whether the pin is known.
        let isVaultOpen: Bool

        private var id: String { ShellWord.quote(endpoint.id) }
        private var name: String { "'\(Printable(endpoint.name))'" }

        var reach: [Finding] {
            guard let probe = way.probe else { return [] }
            // A conflict may be known without a connection.
            guard probe.outcome != .conflict else { return [] }
            guard probe.outcome == .unreachable else {
                let used = way.addresses.first(where: \.inUse)
                let place = used.map { " at \(Printable($0.url))" } ?? ""
                guard let used, used.alternate else {
                    return [.ok("reach", "\(name) answers\(place), \(probe.milliseconds) ms")]
                }
                let database = used.sameDatabase ? "" : ", which is not agreed to have the same database"
                return [
                    .warning(
                        "reach",
                        "\(name) answers\(place), an alternate address\(database)",
                        seen: "its own address \(endpoint.url) was not reached",
                        .command("relctl show \(id)")
                    )
                ]
            }
            return [
                .fault(
                    "reach",
                    "\(name) cannot be reached",
                    seen: "\(endpoint.url): \(probe.why)",
                    isPlain(probe)
                        ? .command("relctl endpoint set \(id) --scheme http")
                        : .advice("check that the server runs and listens there, and that no firewall blocks it")
                )
            ]
        }

        /// Whether the server may have no TLS, because the handshake failed. If the pin is a TLS key, this may be an
        /// attack, and the user is not advised to use plain HTTP.
        private func isPlain(_ probe: RegistryAPI.Probe) -> Bool {
            endpoint.scheme == .https && probe.reason?.code == .tlsFailed && isVaultOpen
                && way.pin.map { $0.strength.isEncrypted } != true
        }

        var identity: Finding? {
            // The probe has connected only, which does not show whose process answers.
            if let finding = Diagnosis.otherUser(endpoint) { return finding }
            let isOther =
                way.pin.map { pin in way.identity.map { $0.fingerprint != pin.fingerprint } ?? false } ?? false
            guard isOther || way.probe?.outcome == .conflict else { return nil }
            guard let pin = way.pin else { return Diagnosis.conflict(endpoint, isPinned: false) }
            if !pin.strength.isEncrypted, endpoint.scheme == .https {
                return .fault(
                    "identity",
                    "\(name) is used over TLS, and its logins are bound to plain HTTP",
                    seen: endpoint.url,
                    .advice(
                        "relctl endpoint repin \(id) if the server has moved to TLS; relctl endpoint set \(id) --scheme http if "
                            + "it has not"
                    )
                )
            }
            return .fault(
                "identity",
                "\(name) is not the server that its logins are bound to",
                seen: way.probe?.reason?.text.description ?? way.identity.map { "its pin is \($0.fingerprint)" },
                // If no authority verifies the certificate any longer, the key can still be pinned.
                .command("relctl endpoint repin \(id)" + (isUnvouched ? " --trust key" : ""))
            )
        }

        private var isUnvouched: Bool { way.pin?.authority != nil && way.identity == nil }

        /// The finding that the user has not confirmed the pin, or has not permitted plain HTTP.
        var agreement: Finding? {
            guard identity == nil, let pin = way.pin else { return nil }
            guard pin.verified else {
                return .fault(
                    "agreement",
                    "the identity of \(name) is not verified on this machine: no password is sent",
                    seen: "it was imported: \(pin.words)",
                    .command("relctl endpoint repin \(id)")
                )
            }
            let permission = PlaintextPermission(
                user: pin.allowPlaintext ? .here : .none,
                administrator: way.identity?.plaintextPermitted == true
            )
            guard PlaintextRule(pin.strength, permission).refusal() != nil else { return nil }
            return .fault(
                "agreement",
                "the password would cross the network unencrypted, which is not permitted",
                seen: "\(endpoint.url) is plain HTTP",
                .command("relctl endpoint repin \(id)")
            )
        }

        var clients: Finding? {
            guard endpoint.grantsOnly else { return nil }
            return .warning(
                "clients",
                "adapters to \(name) are disabled (grants only)",
                seen: "relctl endpoint set \(endpoint.id) --clients grants-only",
                .command("relctl endpoint set \(id) --clients any")
            )
        }

        var logins: [Finding] {
            guard let login = way.login else { return [choice] }
            if let trial = way.trial { return [tried(login, trial)] }
            guard let refusedAt = way.refusedAt else {
                return [.ok("login", "'\(Printable(login.name))' is stored; the server has not refused it")]
            }
            return [
                refused(login, seen: "on \(Day(refusedAt)), see 'relctl audit'; it is not sent again automatically")
            ]
        }

        private func refused(_ login: CredentialsAPI.Login, seen: String) -> Finding {
            .fault(
                "login",
                "the server refuses the login '\(Printable(login.name))'",
                seen: seen,
                .command("relctl login edit --password \(Diagnosis.argument(login.name))")
            )
        }

        /// The finding that there is no login, or that several are possible.
        private var choice: Finding {
            if let chosen = way.chosen, chosen.chooser == .option {
                return .fault(
                    "login",
                    "\(name) has no login '\(Printable(chosen.name))'",
                    seen: way.logins.isEmpty ? "it has none" : "it has \(names)",
                    way.logins.isEmpty ? addition : .advice("choose one of these with --login")
                )
            }
            guard !way.logins.isEmpty else {
                return .fault("login", "\(name) has no login", seen: "'relctl login list' shows none for it", addition)
            }
            guard way.logins.count > 1 else {
                return .fault(
                    "login",
                    "the login that is chosen for \(name) does not exist",
                    seen: "it has \(names); RELATIVITYD_LOGIN and the default of the server take precedence",
                    .advice("unset RELATIVITYD_LOGIN, or set another default: relctl endpoint set \(id) --login LOGIN")
                )
            }
            return .warning(
                "login",
                "\(name) has several logins, and none was chosen",
                seen: "they are \(names)",
                .advice("choose one with --login; relctl endpoint set \(id) --login LOGIN sets a default")
            )
        }

        private var addition: Finding.Remedy { .command("relctl login add \(id)") }

        private var names: String { way.logins.map { "'\(Printable($0.name))'" }.joined(separator: ", ") }

        private func tried(_ login: CredentialsAPI.Login, _ trial: Way.Trial) -> Finding {
            guard let failure = trial.steps.first(where: { !$0.ok }) else {
                return .ok("login", "'\(Printable(login.name))' works: the server accepted it")
            }
            switch trial.error {
            case .loginRejected: return refused(login, seen: failure.detail)
            case .protocolFailure where endpoint.scheme == .http:
                return .fault(
                    "login",
                    "the server at \(Printable(endpoint.url)) does not use Relativity's protocol",
                    seen: failure.detail,
                    .command("relctl endpoint set \(id) --scheme https")
                )
            default:
                return .fault(
                    "login",
                    "the login '\(Printable(login.name))' does not work",
                    seen: failure.detail,
                    .advice("fix the cause, then run: relctl login test \(Diagnosis.argument(login.name))")
                )
            }
        }
    }
}
