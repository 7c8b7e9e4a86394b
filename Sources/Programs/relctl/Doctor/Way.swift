// SPDX-License-Identifier: Apache-2.0

import Endpoints
import JSON
import LocalAPI
import Platform

/// The way from the name of a server to a login that works there, as far as it could be gone without sending a password.
struct Way {
    enum Place {
        case known(RegistryAPI.Endpoint)
        case unknown
        /// Several have the name: their ids.
        case ambiguous([String])
    }

    /// As it was typed.
    var asked: String
    var place: Place
    /// nil where the daemon gives no answer.
    var probe: RegistryAPI.Probe?
    /// Who answers there now; nil where nobody tells.
    var identity: RegistryAPI.Identity?
    /// What the endpoint is pinned to; nil where it is not, and while the vault is closed.
    var pin: CredentialsAPI.Pin?
    /// Those of the endpoint, as far as they can be told.
    var logins: [CredentialsAPI.Login] = []
    /// Which one was asked for, by whom.
    var chosen: ChosenLogin?
    /// When the server refused the login that would be used, if that is the last that is known of it: seconds since 1970.
    var refusedAt: Int64?
    /// What came of a login that was asked for; nil where none was.
    var trial: Trial?

    struct Trial {
        var steps: [CredentialsAPI.Step]
        var error: DaemonError.Code?
    }

    /// The one of `logins` that would be used; nil where that is open.
    var login: CredentialsAPI.Login? {
        if let chosen, let login = logins.first(where: { $0.name == chosen.name }) { return login }
        return logins.count == 1 && chosen?.chooser != .option ? logins.first : nil
    }
}

extension Way {
    /// The login that was named may be in the vault, which is closed.
    struct LoginLockedUp: Error {}

    /// Asks the daemon, step by step. No password is sent unless `isTried` asks for that.
    ///
    /// - Parameters:
    ///   - endpoint: an id or name; nil for that of the login.
    ///   - login: the name of a login.
    ///   - isTried: logs in and out once, also with a login that the server refused before.
    /// - Throws: `Failure` where it cannot be told which server is meant; `LoginLockedUp`.
    static func gathered(
        to endpoint: String?,
        login: String?,
        isTried: Bool,
        _ facts: DoctorFacts,
        _ client: DaemonClient
    ) throws -> Way {
        // Without any vault there is no list either.
        let all: [CredentialsAPI.Login] = client.readable(CredentialsAPI.ListLoginsCall(), "logins")
        let name = try endpoint ?? place(ofLogin: login ?? "", among: all, facts)
        var way = Way(asked: name, place: place(of: name, client))
        guard case .known(let record) = way.place else { return way }
        way.logins = all.filter { $0.endpoint == record.id }
        way.chosen = login.map { ChosenLogin($0, by: .option) } ?? facts.logins.standing
        way.probe = try? client.call(RegistryAPI.ProbeCall(endpoint: record.id), within: .seconds(10)).probe
        if way.probe?.outcome != .unreachable { way.identity = try? RegistryAPI.Identity.fetch(record.id, client) }
        way.pin = (try? CredentialsAPI.Pin.fetch(record.id, client)) ?? nil
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
                facts.logins.missing == nil ? "there is no such login" : "the logins of the vault cannot be told",
                hint: facts.logins.missing == nil ? "relctl login list" : "relctl vault unlock"
            )
        }
        return login.endpoint
    }

    private static func place(of name: String, _ client: DaemonClient) -> Place {
        do {
            return .known(try RegistryAPI.Endpoint.fetch(name, client))
        } catch DaemonError.endpointAmbiguous(let error) {
            return .ambiguous(error.candidates)
        } catch {
            return .unknown
        }
    }

    /// The last that the audit log has of a login, if that is the server's refusal.
    private static func refusal(of login: CredentialsAPI.Login, _ client: DaemonClient) -> Int64? {
        let told: Set = ["password.used", "login.tested", "login.edited", "login.added"]
        let lines = try? client.call(AuditAPI.ListCall(count: 1_000)).lines
        let last = lines?.last { told.contains($0.event) && $0.loginName == login.name }
        return last?.result == "refused" ? last?.time : nil
    }

    private static func trial(of login: CredentialsAPI.Login, _ client: DaemonClient) throws -> Trial {
        let reply = try client.call(CredentialsAPI.TestLoginCall(login: login.name), within: DaemonClient.slow)
        return Trial(steps: reply.steps, error: reply.error.flatMap(DaemonError.Code.init(rawValue:)))
    }
}

/// Judges the way to one server: why a login there fails.
struct WayDiagnosis {
    let findings: [Finding]
    /// The network has to be looked at too: the server was to be found there, and is not.
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
            "several servers are called '\(Printable(way.asked))': nobody can tell which is meant",
            seen: "their ids are \(candidates.map { "\(Printable($0))" }.joined(separator: ", "))",
            .advice("use one of these ids instead of the name")
        )
    }

    /// The steps to an endpoint that is known.
    private struct Step {
        let way: Way
        let endpoint: RegistryAPI.Endpoint
        /// So that it is known what the endpoint is pinned to.
        let isVaultOpen: Bool

        private var id: String { ShellWord.quote(endpoint.id) }
        private var name: String { "'\(Printable(endpoint.name))'" }

        var reach: [Finding] {
            guard let probe = way.probe else { return [] }
            // That it is another server may be known without a connection.
            guard probe.outcome != .conflict else { return [] }
            guard probe.outcome == .unreachable else {
                return [.ok("reach", "\(name) answers, \(probe.milliseconds) ms")]
            }
            return [
                .fault(
                    "reach",
                    "\(name) cannot be reached",
                    seen: "\(endpoint.url): \(probe.why)",
                    isPlain(probe)
                        ? .command("relctl endpoint set \(id) --scheme http")
                        : .advice("see whether the server runs and listens there; a firewall on the way may be closed")
                )
            ]
        }

        /// Something answers there and no TLS comes about. Where the server is known by its TLS key, that may be an attack, and
        /// nobody is told to do without.
        private func isPlain(_ probe: RegistryAPI.Probe) -> Bool {
            endpoint.scheme == .https && probe.reason?.code == .tlsFailed && isVaultOpen
                && way.pin.map { PinStrength($0.strength).isEncrypted } != true
        }

        var identity: Finding? {
            let isOther =
                way.pin.map { pin in way.identity.map { $0.fingerprint != pin.fingerprint } ?? false } ?? false
            guard isOther || way.probe?.outcome == .conflict else { return nil }
            guard let pin = way.pin else { return Diagnosis.conflict(endpoint, isPinned: false) }
            if !PinStrength(pin.strength).isEncrypted, endpoint.scheme == .https {
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
                seen: way.probe?.reason?.text.description ?? way.identity.map { "it shows \($0.fingerprint)" },
                // Where no authority vouches for it any more, its key is what is left.
                .command("relctl endpoint repin \(id)" + (isUnvouched ? " --trust key" : ""))
            )
        }

        private var isUnvouched: Bool { way.pin?.authority != nil && way.identity == nil }

        /// Whether a person has agreed to what the pin says.
        var agreement: Finding? {
            guard identity == nil, let pin = way.pin else { return nil }
            guard pin.verified else {
                return .fault(
                    "agreement",
                    "nobody has agreed to the identity of \(name) on this machine: no password goes there",
                    seen: "it came with an import: \(pin.words)",
                    .command("relctl endpoint repin \(id)")
                )
            }
            let permission = PlaintextPermission(
                user: pin.allowPlaintext ? .here : .none,
                administrator: way.identity?.plaintextPermitted == true
            )
            guard PlaintextRule(PinStrength(pin.strength), permission).refusal() != nil else { return nil }
            return .fault(
                "agreement",
                "the password would cross the network unencrypted, which nobody has permitted",
                seen: "\(endpoint.url) is plain HTTP",
                .command("relctl endpoint repin \(id)")
            )
        }

        var clients: Finding? {
            guard endpoint.grantsOnly else { return nil }
            return .warning(
                "clients",
                "no adapter leads to \(name): it was set so",
                seen: "relctl endpoint set \(endpoint.id) --clients grants-only",
                .command("relctl endpoint set \(id) --clients any")
            )
        }

        var logins: [Finding] {
            guard let login = way.login else { return [choice] }
            if let trial = way.trial { return [tried(login, trial)] }
            guard let refusedAt = way.refusedAt else {
                return [.ok("login", "'\(Printable(login.name))' is there, and nothing is known against it")]
            }
            return [
                refused(login, seen: "on \(Day(refusedAt)), as 'relctl audit' tells; it is not sent again by itself")
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

        /// That none or several can be meant.
        private var choice: Finding {
            if let chosen = way.chosen, chosen.chooser == .option {
                return .fault(
                    "login",
                    "\(name) has no login '\(Printable(chosen.name))'",
                    seen: way.logins.isEmpty ? "it has none" : "it has \(names)",
                    way.logins.isEmpty ? addition : .advice("name one of these with --login")
                )
            }
            guard !way.logins.isEmpty else {
                return .fault("login", "\(name) has no login", seen: "'relctl login list' shows none for it", addition)
            }
            // A default would count for all servers, so none is advised for the sake of one.
            return .warning(
                "login",
                "\(name) has several logins, and nobody says which is meant",
                seen: "they are \(names)",
                .advice("name one where it is used, with --login; relctl default set LOGIN chooses one everywhere")
            )
        }

        private var addition: Finding.Remedy { .command("relctl login add \(id)") }

        private var names: String { way.logins.map { "'\(Printable($0.name))'" }.joined(separator: ", ") }

        private func tried(_ login: CredentialsAPI.Login, _ trial: Way.Trial) -> Finding {
            guard let failure = trial.steps.first(where: { !$0.ok }) else {
                return .ok("login", "'\(Printable(login.name))' works: the server let it in")
            }
            switch trial.error {
            case .loginRejected: return refused(login, seen: failure.detail)
            case .protocolFailure where endpoint.scheme == .http:
                return .fault(
                    "login",
                    "what answers at \(Printable(endpoint.url)) does not speak Relativity's protocol",
                    seen: failure.detail,
                    .command("relctl endpoint set \(id) --scheme https")
                )
            default:
                return .fault(
                    "login",
                    "the login '\(Printable(login.name))' does not work",
                    seen: failure.detail,
                    .advice("see to that, then try again: relctl login test \(Diagnosis.argument(login.name))")
                )
            }
        }
    }
}
