// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSON
import LocalAPI
import Platform

/// The report of `relctl doctor --bundle`: what the doctor looked at, without what names a person, a machine or a server.
struct DoctorBundle {
    private static let auditLines: Int64 = 200

    let text: String

    init(_ facts: DoctorFacts, _ diagnosis: Diagnosis) {
        var redaction = Redaction(facts)
        var report: JSONObject = [
            "relctl": .string(ProjectVersion.text),
            "system": Self.system,
            "findings": redaction.redacted(.array(diagnosis.findings.map(\.forOthers.json))),
            "status": redaction.redacted(facts.status.map { .object($0.json) } ?? .null),
            "vault": redaction.redacted(facts.vault.map { .object($0.json) } ?? .null),
            "interfaces": redaction.redacted(.array(facts.interfaces.map(\.json))),
            "endpoints": redaction.redacted(.array(facts.endpoints.map { .object($0.json) })),
        ]
        if facts.status != nil {
            let asked: [(String, JSONValue?)] = [
                ("logins", try? DaemonClient().call(CredentialsAPI.ListLoginsCall()).logins.jsonValue),
                ("pins", try? DaemonClient().call(CredentialsAPI.ListPinsCall()).pins.jsonValue),
                ("adapters", try? DaemonClient().call(BrokerAPI.ListCall()).adapters.jsonValue),
                ("grants", try? DaemonClient().call(BrokerAPI.ListGrantsCall()).grants.jsonValue),
                ("lines", try? DaemonClient().call(AuditAPI.ListCall(count: Self.auditLines)).lines.jsonValue),
            ]
            for (part, value) in asked { report[part] = value.map { redaction.redacted($0) } }
        }
        text = Self.preface + OutlineText(.object(report)).text
    }

    private static let preface = """
        Report of 'relctl doctor --bundle'. Names of servers, hosts, users, logins and files, and addresses, are
        replaced: equal ones by equal words. Read it before you send it to anybody.


        """

    /// Kernel and distribution, which name nobody.
    private static var system: JSONValue {
        let kernel = TextFile.read("/proc/sys/kernel/osrelease", maximumBytes: 256) ?? ""
        let release = TextFile.read("/etc/os-release", maximumBytes: 16 << 10) ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12) ?? ""
        return .object([
            "kernel": .string(String(kernel.prefix { $0 != "\n" })),
            "distribution": .string(name.filter { $0 != "\"" }),
        ])
    }

    /// - Throws: `PlatformError`, also where there is something at that path already.
    func write(to path: String) throws {
        let file = try NewFile(path, mode: 0o600)
        do {
            try file.write(Array(text.utf8))
        } catch {
            file.remove()
            throw error
        }
    }
}

extension DoctorFacts.Interface {
    fileprivate var json: JSONValue {
        [
            "name": .string(name), "loopback": .bool(isLoopback), "up": .bool(isUp), "running": .bool(isRunning),
            "multicast": .bool(takesMulticast), "addresses": .integer(Int64(addresses)),
        ]
    }
}
