// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Remoting

/// Writes TypeScript classes for services. Their values have the form of the Data API, and the program sends the calls.
struct TypeScriptServices {
    private static let head = """
        // The calls of a server's services, written by relctl services --code typescript. A program sends them to the Data
        // API with a function of its own. Int64, Currency, Decimal and DateTime are texts, and Binary is in base64.

        export interface Server {
          readonly endpoint?: string
          readonly login?: string
          readonly anonymous?: boolean
          readonly interactive?: boolean
        }

        /** The parameters of org.relativityd.Data.Call. */
        export interface Call {
          readonly server: Server
          readonly service: string
          readonly method: string
          readonly parameters: Readonly<Record<string, unknown>>
          readonly rodl?: string
          readonly numbersAsText: true
        }

        export type Send = (call: Call) => Promise<{ readonly results: Readonly<Record<string, unknown>> }>

        export type Variant = string | number | boolean | null | readonly Variant[]

        """

    private static let reserved = CodeLanguage.typescript.reserved.union(
        """
        Array Call Promise ReadonlyArray Send Server Variant call constructor declared results send toString valueOf
        """.split(separator: " ").map(String.init)
    )

    private let calls: DeclaredCalls
    private let names: ServiceNames

    init(_ calls: DeclaredCalls) {
        self.calls = calls
        names = ServiceNames(calls, reserved: Self.reserved)
    }

    /// A module.
    var code: String {
        let rodl = ServiceCode.rodl(of: calls).map { "{ rodl: \(literal($0)) }" } ?? "{}"
        var lines = ["", "const declared: { rodl?: string } = \(rodl)"]
        lines += calls.enums.flatMap(code(for:)) + calls.structs.flatMap(code(for:))
        for (service, name) in zip(calls.services, names.services) { lines += code(for: service, named: name) }
        return Self.head + lines.joined(separator: "\n") + "\n"
    }

    // MARK: Types

    private func code(for found: DeclaredCalls.Enum) -> [String] {
        let values = found.values.map(literal).joined(separator: " | ")
        return ["", "export type \(names[enum: found.values] ?? "") = \(values.isEmpty ? "never" : values)"]
    }

    private func code(for found: DeclaredCalls.Struct) -> [String] {
        // The name of the class, which a descendant has to name.
        let fields = found.fields.filter { $0.name != "__type" }
        return ["", "export interface \(names[struct: found.name]) {", "  readonly \"__type\"?: string"]
            + fields.map { "  readonly \(literal($0.name)): \(type($0.type))" } + ["}"]
    }

    // MARK: Services

    private func code(for service: DeclaredCalls.Service, named name: String) -> [String] {
        var members = names.members(otherwise: "method")
        var lines = ["", "export class \(name) {"]
        lines += ["  constructor(private readonly _send: Send, private readonly _server: Server) {}"]
        for method in service.methods { lines += code(for: method, members.add(method.name), service.name) }
        return lines + ["}"]
    }

    private func code(for method: MethodSignature, _ identifier: String, _ service: String) -> [String] {
        var members = names.members(otherwise: "parameter")
        let parameters = method.parameters.map { (identifier: members.add($0.name), declared: $0) }
        let list = parameters.map { "\($0.identifier): \(type($0.declared.type))" }.joined(separator: ", ")
        // A member in brackets is never the prototype of the object.
        let values = parameters.map { "[\(literal($0.declared.name))]: \($0.identifier)" }.joined(separator: ", ")
        let results = method.results
        let returned =
            switch results.count {
            case 0: "void"
            case 1: type(results[0].type)
            default: "{ \(results.map { "readonly \(literal($0.name)): \(type($0.type))" }.joined(separator: "; ")) }"
            }
        let parts = [
            "server: this._server", "service: \(literal(service))", "method: \(literal(method.name))",
            "parameters: {\(values.isEmpty ? "" : " \(values) ")}", "...declared", "numbersAsText: true",
        ]
        let call = "await this._send({ \(parts.joined(separator: ", ")) })"
        let body =
            switch results.count {
            case 0: ["\(call)"]
            case 1: ["const { results } = \(call)", "return results[\(literal(results[0].name))] as \(returned)"]
            default: ["const { results } = \(call)", "return results as unknown as \(returned)"]
            }
        return ["", "  async \(identifier)(\(list)): Promise<\(returned)> {"] + body.map { "    " + $0 } + ["  }"]
    }

    private func type(_ type: RemotingType) -> String {
        switch type {
        case .integer, .double: "number"
        case .boolean: "boolean"
        case .int64, .dateTime, .currency, .decimal, .guid, .ansiString, .utf8String, .wideString, .xml: "string"
        case .binary: "string | null"
        case .variant: "Variant"
        case .enumeration(let values): names[enum: values] ?? "number"
        case .structure(let name): names[struct: name]
        case .array(let element): "ReadonlyArray<\(self.type(element))> | null"
        }
    }

    private func literal(_ text: String) -> String { CodeLanguage.typescript.literal(text) }
}
