// SPDX-License-Identifier: Apache-2.0

import Credentials
import JSON
import LocalAPI
import Varlink
import VarlinkService

/// `org.relativityd.Audit`.
struct AuditInterface: VarlinkInterface {
    private static let counts = Int64(1)...1_000
    private static let usualCount = Int64(100)

    let name = "org.relativityd.Audit"
    let description = InterfaceText.audit
    let store: CredentialStore

    func call(_ call: VarlinkCall) async throws {
        try await APIError.translating {
            switch call.method {
            case "List": try await list(call)
            case "Verify": try await verify(call)
            default: throw VarlinkError.methodNotImplemented(call.method)
            }
        }
    }

    private func list(_ call: VarlinkCall) async throws {
        let count = try call.parameters.optionalInteger("count") ?? Self.usualCount
        guard Self.counts.contains(count) else { throw VarlinkError.invalidParameter("count") }
        let since = try call.parameters.optionalInteger("since")
        let lines = try await store.audit?.lines(Int(count), since: since) ?? []
        // Names are in the vault only: the log on the disk has ids.
        let logins = (try? await store.logins()) ?? []
        let names = Dictionary(logins.map { ("\($0.id)", $0.name) }) { first, _ in first }
        let records = lines.compactMap { AuditLineRecord(line: $0, names: names) }
        call.reply(["lines": .array(records.map { .object($0.json) })])
    }

    private func verify(_ call: VarlinkCall) async throws {
        let report = try await store.verifyAudit()
        call.reply(["report": .object(AuditReportRecord(report).json)])
    }
}
