// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Varlink

/// Replies to every method with every optional member, made from the interface descriptions.
struct StandInReplies {
    /// A file of three bytes, and its digest.
    private static let file: [String: JSONValue] = [
        "file": "AAAA", "sha256": "709e80c88487a2411e1ee4dfb9f22a861492d20c4765150c0c794abd70f8147c",
    ]

    private let interfaces: [VarlinkDescription]
    private let use: VerbUse
    private let elements: Int
    private var texts: any TextSource
    private var told: [ServedText] = []

    /// - Parameter elements: the number of elements in each list.
    init(to use: VerbUse, elements: Int, _ texts: any TextSource) throws {
        interfaces = try InterfaceText.all.map { try VarlinkDescription(parsing: $0) }
        (self.use, self.elements, self.texts) = (use, elements, texts)
    }

    mutating func takeTold() -> [ServedText] {
        defer { told = [] }
        return told
    }

    /// All replies to a call, each with its NUL.
    mutating func frames(for call: JSONObject) -> [UInt8] {
        let name = call["method"]?.stringValue ?? ""
        guard name != "org.varlink.service.GetInfo" else {
            let info: JSONObject = [
                "vendor": "v", "product": "p", "version": .string(text(inList: false)), "url": "u", "interfaces": [],
            ]
            return frame(info, continues: false)
        }
        let words = name.split(separator: ".")
        guard let interface = interfaces.first(where: { $0.name == words.dropLast().joined(separator: ".") }),
            let method = interface.methods.first(where: { $0.name == words.last.map(String.init) })
        else { return Array(#"{"error":"org.varlink.service.MethodNotFound"}"#.utf8) + [0] }
        let kinds = call["more"] == true ? Self.kinds(of: method) : []
        guard !kinds.isEmpty else {
            let reply = frame(members(method.output, interface, method.name), continues: false)
            return call["upgrade"] == true ? frame([:], continues: false) + reply : reply
        }
        return kinds.enumerated().flatMap { index, kind in
            var reply = members(method.output, interface, method.name)
            reply["kind"] = .string(kind)
            return frame(reply, continues: index < kinds.count - 1)
        }
    }

    /// Every word of a stream's member `kind` comes once.
    private static func kinds(of method: VarlinkDescription.Method) -> [String] {
        guard case .enum(let words) = method.output.first(where: { $0.name == "kind" })?.type else { return [] }
        return words.filter { $0 != "resumed" }
    }

    private func frame(_ parameters: JSONObject, continues: Bool) -> [UInt8] {
        var reply: JSONObject = ["parameters": .object(parameters)]
        if continues { reply["continues"] = true }
        return JSONValue.object(reply).serialized() + [0]
    }

    private mutating func members(
        _ fields: [VarlinkField],
        _ interface: VarlinkDescription,
        _ method: String,
        inList: Bool = false
    ) -> JSONObject {
        var object = JSONObject()
        let isSealedFile = ["Backup", "Export"].contains(method) && fields.contains { $0.name == "sha256" }
        for field in fields {
            object[field.name] =
                isSealedFile ? Self.file[field.name] ?? 1 : value(of: field, interface, method, inList)
        }
        return object
    }

    private mutating func value(
        of field: VarlinkField,
        _ interface: VarlinkDescription,
        _ method: String,
        _ inList: Bool
    ) -> JSONValue {
        switch field.name {
        // A vault with a problem is not used, and a hidden server is not shown.
        case "problem" where method == "GetStatus" && use.vault != .troubled: .null
        case "state" where field.type == .named("VaultState"):
            .string(use.vault == .absent ? "absent" : "unlocked")
        case "fingerprint": .string(StandIn.fingerprint)
        case "id" where method == "Get", "endpoint" where ["ListPins", "ListLogins"].contains(method):
            .string(StandIn.endpoint)
        case "name" where method == "ListLogins" && use.verb == "login show": .string(use.arguments[0])
        case "step" where method == "Capture": "schema"
        case "hidden": false
        default: value(field.type, interface, method, inList)
        }
    }

    private mutating func value(
        _ type: VarlinkType,
        _ interface: VarlinkDescription,
        _ method: String,
        _ inList: Bool
    ) -> JSONValue {
        switch type {
        case .bool: return true
        case .int: return 3
        case .float: return 0.5
        case .string: return .string(text(inList: inList || use.onlyLooks(method)))
        case .enum(let words): return .string(words.first ?? "")
        case .maybe(let inner): return value(inner, interface, method, inList)
        case .array(let element):
            // Short if the list is not shown completely, or making it would take too long.
            return .array(
                (0..<(inList || use.onlyLooks(method) ? 1 : elements)).map { _ in
                    value(element, interface, method, true)
                }
            )
        case .struct(let fields): return .object(members(fields, interface, method, inList: inList))
        case .named(let name):
            let declared = interface.types.first { $0.name == name }?.type
            return declared.map { value($0, interface, method, inList) } ?? .null
        case .object, .any, .map: return [:]
        }
    }

    private mutating func text(inList: Bool) -> String {
        let pieces = inList ? [texts.next()] : texts.several()
        told += pieces
        return pieces.map(\.raw).joined()
    }
}
