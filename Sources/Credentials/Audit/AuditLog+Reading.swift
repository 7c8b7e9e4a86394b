// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import JSON
import Platform

extension AuditLog {
    /// Reads the newest lines as JSON objects, oldest first.
    ///
    /// - Parameters:
    ///   - count: the maximum number of lines.
    ///   - since: seconds since 1970; nil for all.
    /// - Throws: `CredentialError.auditUnavailable`
    package func lines(_ count: Int, since: Int64?) async throws -> [JSONObject] {
        try await synchronize()
        return try await pool.perform { [writer] in
            let files = try translated { () throws(PlatformError) in try writer.read().files }
            var found: [JSONObject] = []
            for line in files.lazy.flatMap(\.lines).reversed() {
                guard found.count < count else { break }
                guard let object = AuditLine(line)?.object else { continue }
                if let since, let time = object["time"]?.integerValue, time / 1_000 < since { break }
                found.append(object)
            }
            return found.reversed()
        }
    }

    /// Verifies the whole log with the keys of an open vault.
    func report(_ keys: VaultKeys) async throws -> AuditReport {
        try await synchronize()
        return try await pool.perform { [writer] in
            try translated { () throws(PlatformError) in
                let (files, head) = try writer.read()
                return try AuditVerifier.report(on: files, key: keys.audit, heads: [keys.auditHead, head])
            }
        }
    }
}

extension CredentialStore {
    /// Verifies the audit log.
    ///
    /// - Throws: `CredentialError.locked` or `.noVault`, because the key is in the vault; `.auditUnavailable`.
    package func verifyAudit() async throws -> AuditReport {
        let vault = try open()
        guard let audit else { return AuditReport() }
        return try await audit.report(vault.keys)
    }
}
