// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import JSON
import LocalAPI
import Varlink
import VarlinkService

/// The interface `org.relativityd.Audit`.
struct AuditInterface: AuditAPIServer {
    private static let counts = Int64(1)...1_000
    private static let usualCount = Int64(100)

    let store: CredentialStore

    func list(_ call: TypedCall<AuditAPI.ListCall>) async throws {
        let count = call.parameters.count ?? Self.usualCount
        guard Self.counts.contains(count) else { throw VarlinkError.invalidParameter("count") }
        let lines = try await store.audit?.lines(Int(count), since: call.parameters.since) ?? []
        // Only the vault has the names. The log on disk contains IDs.
        let logins = (try? await store.logins()) ?? []
        let names = Dictionary(logins.map { ("\($0.id)", $0.name) }) { first, _ in first }
        call.reply(.init(lines: lines.compactMap { AuditAPI.Line(line: $0, names: names) }))
    }

    func verify(_ call: TypedCall<AuditAPI.VerifyCall>) async throws {
        call.reply(.init(report: try await store.verifyAudit()))
    }
}

extension AuditAPI.Line {
    /// Reads a line of the log.
    ///
    /// - Parameters:
    ///   - line: the object in the file (docs/audit.md).
    ///   - names: the names of logins, by ID.
    /// - Returns: nil if the line lacks a member that every line has.
    init?(line: JSONObject, names: [String: String]) {
        guard let sequence = line["seq"]?.integerValue, let time = line["time"]?.integerValue,
            let event = line["event"]?.stringValue, let result = line["result"]?.stringValue
        else { return nil }
        let login = line["login"]?.stringValue
        self.init(
            sequence: sequence,
            time: time / 1_000,
            event: event,
            result: result,
            endpoint: line["endpoint"]?.stringValue,
            login: login,
            loginName: login.flatMap { names[$0] },
            strength: line["tier"]?.integerValue.flatMap { AuditAPI.Line.Strength(code: $0) },
            pid: line["pid"]?.integerValue,
            claimedBy: line["claimedBy"]?.integerValue,
            client: line["client"]?.stringValue,
            cgroup: line["cgroup"]?.stringValue,
            times: line["times"]?.integerValue,
            keyed: line["proof"]?.stringValue == "hmac"
        )
    }
}

extension AuditAPI.Line.Strength {
    /// The strength for a code in the log. Both kinds of TLS have the same code. Returns nil for an unknown code.
    fileprivate init?(code: Int64) {
        switch PinStrength.allCases.first(where: { $0.code == code }) {
        case .tlsKey, .authority: self = .tls
        case .address: self = .address
        case .loopback: self = .loopback
        case nil: return nil
        }
    }
}
