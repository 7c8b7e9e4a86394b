// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

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
