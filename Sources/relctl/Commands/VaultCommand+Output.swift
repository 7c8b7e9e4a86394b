// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI

extension VaultCommand {
    static func status(_ client: DaemonClient) throws -> VaultRecord {
        try VaultRecord(json: try client.call("org.relativityd.Credentials.GetStatus").object("vault"))
    }

    /// Prints the vault in a method's reply.
    static func show(_ reply: JSONObject, json: JSONOption) throws {
        let vault = try VaultRecord(json: try reply.object("vault"))
        if json.isOn {
            JSONOption.write(.object(vault.json))
        } else {
            Terminal.write(facts(vault).text)
        }
    }

    private static func facts(_ vault: VaultRecord) -> Facts {
        let slots = vault.slots.map { slot in
            let label = slot.label.isEmpty ? "" : " \"\(slot.label)\""
            return "\(slot.kind)\(label) (\(slot.strength))"
        }
        return Facts([
            "vault": vault.state.rawValue,
            "file": vault.path,
            "generation": vault.generation.map { "\($0)" },
            "opened by": slots.isEmpty ? nil : slots.joined(separator: ", "),
            "logins": vault.logins.map { "\($0)" },
            "locks in": vault.locksInSeconds.map { "\($0) s" },
            "memory": vault.memory,
            "memory note": vault.memoryNote,
            "problem": vault.problem,
            "next": vault.problem == nil ? next(vault.state) : nil,
        ])
    }

    private static func next(_ state: VaultRecord.State) -> String? {
        switch state {
        case .absent: "relctl vault init"
        case .sealed, .locked: "relctl vault unlock"
        case .unlocked: nil
        }
    }
}
