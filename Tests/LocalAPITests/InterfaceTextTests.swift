// SPDX-License-Identifier: Apache-2.0

import JSON
import LocalAPI
import Testing
import Varlink

@Suite("Interface descriptions and generated code")
struct InterfaceTextTests {
    private static let texts = InterfaceText.all

    @Test("every type has the members and types that its record writes", arguments: Records.all)
    func members(record: Records.Sample) throws {
        let description = try VarlinkDescription(parsing: record.interface)
        let type = try #require(description.types.first { $0.name == record.type }?.type)
        guard case .struct(let fields) = type else {
            Issue.record("\(record.type) is no struct")
            return
        }
        #expect(fields.map(\.name) == record.full.map(\.key))
        for field in fields {
            let value = try #require(record.full[field.name])
            #expect(Self.matches(value, field.type, description), "\(record.type).\(field.name)")
            // Absent in the minimal record if and only if the description permits it.
            if case .maybe = field.type {
                #expect(record.least[field.name] == nil, "\(record.type).\(field.name)")
            } else {
                #expect(record.least[field.name] != nil, "\(record.type).\(field.name)")
            }
        }
    }

    @Test("every type has a record")
    func types() throws {
        let structs = try Self.texts.flatMap { try VarlinkDescription(parsing: $0).types }.filter { type in
            if case .struct = type.type { true } else { false }
        }
        #expect(structs.map(\.name).sorted() == Records.all.map(\.type).sorted())
    }

    @Test("the enum values of the descriptions and of the records are the same")
    func words() throws {
        let manager = try VarlinkDescription(parsing: ManagerAPI.definition)
        let registry = try VarlinkDescription(parsing: RegistryAPI.definition)
        let credentials = try VarlinkDescription(parsing: CredentialsAPI.definition)
        #expect(try Self.words(manager, "Source", "state") == ManagerAPI.Source.State.allCases.map(\.rawValue))
        #expect(try Self.words(manager, "Status", "vault") == ManagerAPI.Status.Vault.allCases.map(\.rawValue))
        #expect(try Self.words(credentials, "Vault", "state") == CredentialsAPI.Vault.State.allCases.map(\.rawValue))
        #expect(try Self.words(registry, "Endpoint", "origin") == RegistryAPI.Endpoint.Origin.allCases.map(\.rawValue))
        #expect(try Self.words(registry, "Endpoint", "state") == RegistryAPI.Endpoint.State.allCases.map(\.rawValue))
    }

    @Test("errors and error codes correspond, and every error has a message and no hint")
    func errors() throws {
        var declared: [String] = []
        for text in Self.texts {
            let description = try VarlinkDescription(parsing: text)
            for error in description.errors {
                declared.append("\(description.name).\(error.name)")
                guard case .struct(let fields) = error.type else {
                    Issue.record("\(error.name) has no members")
                    continue
                }
                #expect(fields.first == VarlinkField(name: "message", type: .string), "\(error.name)")
                #expect(!fields.contains { $0.name == "hint" }, "\(error.name)")
            }
        }
        #expect(declared.sorted() == DaemonError.Code.allCases.map(\.rawValue).sorted())
    }

    @Test("every interface, type, error, method and member is documented")
    func documented() throws {
        for text in Self.texts + [InterfaceText.adapters, InterfaceText.data] {
            let description = try VarlinkDescription(parsing: text)
            #expect(!description.documentation.isEmpty, "\(description.name)")
            for type in description.types {
                #expect(!type.documentation.isEmpty, "\(type.name)")
                guard case .struct(let fields) = type.type else { continue }
                for field in fields where !Self.isDeclared(field.type) {
                    #expect(!field.documentation.isEmpty, "\(type.name).\(field.name)")
                }
            }
            for error in description.errors {
                guard case .struct(let fields) = error.type else { continue }
                expectDocumented(error.name, fields, error.documentation)
            }
            for method in description.methods {
                expectDocumented(method.name, method.input + method.output, method.documentation)
            }
        }
    }

    /// Members with the same meaning everywhere, which the beginnings of `Manager` and `Registry` describe.
    private static let general: Set = ["message", "endpoint"]

    /// A parameter is described by its own comment, or by its name in the comment of the method or the error.
    private func expectDocumented(_ name: String, _ fields: [VarlinkField], _ documentation: String) {
        #expect(!documentation.isEmpty, "\(name)")
        let words = Set(documentation.split { !$0.isLetter && !$0.isNumber }.map { String($0) })
        for field in fields where !Self.general.contains(field.name) && !Self.isDeclared(field.type) {
            #expect(!field.documentation.isEmpty || words.contains(field.name), "\(name).\(field.name)")
        }
    }

    private static func isDeclared(_ type: VarlinkType) -> Bool {
        switch type {
        case .named: true
        case .maybe(let inner), .array(let inner): isDeclared(inner)
        default: false
        }
    }

    private static func words(_ description: VarlinkDescription, _ type: String, _ member: String) throws -> [String] {
        guard case .struct(let fields)? = description.types.first(where: { $0.name == type })?.type,
            case .enum(let words)? = fields.first(where: { $0.name == member })?.type
        else { return [] }
        return words
    }

    private static func matches(_ value: JSONValue, _ type: VarlinkType, _ description: VarlinkDescription) -> Bool {
        switch (type, value) {
        case (.bool, .bool), (.int, .integer), (.string, .string): true
        case (.maybe(let inner), _): matches(value, inner, description)
        case (.enum(let words), .string(let word)): words.contains(word)
        case (.array(let inner), .array(let values)): values.allSatisfy { matches($0, inner, description) }
        case (.named(let name), _):
            description.types.contains { $0.name == name && matches(value, $0.type, description) }
        case (.struct, .object): true
        default: false
        }
    }
}
