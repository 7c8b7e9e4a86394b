// SPDX-License-Identifier: Apache-2.0

import Credentials
import LocalAPI
import Varlink
import VarlinkService

/// `org.relativityd.Audit`.
struct AuditInterface: AuditAPIServer {
    private static let counts = Int64(1)...1_000
    private static let usualCount = Int64(100)

    let store: CredentialStore

    func list(_ call: TypedCall<AuditAPI.ListCall>) async throws {
        let count = call.parameters.count ?? Self.usualCount
        guard Self.counts.contains(count) else { throw VarlinkError.invalidParameter("count") }
        let lines = try await store.audit?.lines(Int(count), since: call.parameters.since) ?? []
        // Names are in the vault only: the log on the disk has ids.
        let logins = (try? await store.logins()) ?? []
        let names = Dictionary(logins.map { ("\($0.id)", $0.name) }) { first, _ in first }
        call.reply(.init(lines: lines.compactMap { AuditAPI.Line(line: $0, names: names) }))
    }

    func verify(_ call: TypedCall<AuditAPI.VerifyCall>) async throws {
        call.reply(.init(report: AuditAPI.Report(try await store.verifyAudit())))
    }
}
