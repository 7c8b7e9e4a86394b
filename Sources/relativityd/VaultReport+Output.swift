// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import JSON
import LocalAPI
import LocalAPIServer

extension VaultReport {
    /// Lines of `label: value`.
    var text: String {
        var lines: [(String, String)] = [("file", path)]
        if let seen {
            lines += [
                ("place", seen.isInPlace ? "the vault of this user" : "a copy, or another user's"),
                ("format", seen.format),
                ("store id", seen.storeID),
                ("generation", "\(seen.generation)"),
                ("sha-256", seen.hash),
                ("opened by", seen.slots.map(Self.text).joined(separator: ", ")),
            ]
            if let weakest = seen.slots.first(where: { $0.id == seen.weakestSlot }) {
                lines.append(("weakest", Self.text(weakest)))
            }
        }
        if let proven, let openedBy {
            lines.append(("checked", "everything, with the key of \(openedBy)"))
            lines.append(("logins", "\(proven.loginCount)"))
            lines.append(("anchor", proven.anchor.map(Self.text) ?? "not compared: the file is not in its place"))
        }
        lines.append(("result", problem == nil ? (proven == nil ? "the form is right" : "sound") : "refused"))
        let width = lines.map(\.0.utf8.count).max() ?? 0
        let facts = lines.map { label, value in
            "\(label):\(String(repeating: " ", count: width - label.utf8.count + 1))\(Printable(value))\n"
        }
        return (facts + warnings.map { "warning: \(Printable($0))\n" }).joined()
    }

    private static func text(_ slot: VaultStatus.Slot) -> String {
        let label = slot.label.isEmpty ? "" : " \"\(slot.label)\""
        let cost = slot.log2N.map { ", scrypt N = 2^\($0)" } ?? ""
        return "\(slot.id) \(slot.kind)\(label) (\(slot.strength)\(cost))"
    }

    private static func text(_ anchor: AnchorStatus) -> String {
        let known = anchor.known.map { ", generation \($0) is known" } ?? ""
        return CredentialsAPI.Anchor(anchor).verdict.rawValue + known
    }

    /// One object on one line.
    var json: String {
        var object: JSONObject = ["file": .string(path), "status": .integer(Int64(exitStatus))]
        if let seen {
            object["inPlace"] = .bool(seen.isInPlace)
            object["format"] = .string(seen.format)
            object["storeID"] = .string(seen.storeID)
            object["generation"] = .integer(Int64(clamping: seen.generation))
            object["sha256"] = .string(seen.hash)
            object["slots"] = .array(seen.slots.map { .object(CredentialsAPI.Slot($0).json) })
            object["weakestSlot"] = seen.weakestSlot.map { .string($0) }
        }
        if let openedBy, let proven {
            object["openedBy"] = .string("\(openedBy)")
            object["logins"] = .integer(Int64(proven.loginCount))
            object["anchor"] = proven.anchor.map { .object(CredentialsAPI.Anchor($0).json) }
        }
        object["checked"] = .string(proven == nil ? "structure" : "everything")
        object["warnings"] = .array(warnings.map { .string($0) })
        if let problem {
            object["error"] = ["message": .string("\(problem)")]
        }
        return String(decoding: JSONValue.object(object).serialized(), as: UTF8.self) + "\n"
    }
}
