// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing
import Varlink

@Suite("Interface descriptions and generated code")
struct InterfaceTextTests {
    private static let texts = InterfaceText.all

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
}
