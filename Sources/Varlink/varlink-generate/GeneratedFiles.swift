// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The Swift file with the types of an interface: its records, enums, calls and replies, in one namespace. Replies with
/// the same members are one type. The comments of the definition are not repeated in it.
struct TypesFile {
    let description: VarlinkDescription
    let names: InterfaceNames
    /// `public`, `package` or `internal`.
    let access: String
    /// The module that the file becomes part of, if that is one of those that generated code imports.
    var home: String?
    /// The module with the shared types.
    var sharedModule: String?

    private var prefix: String { access == "internal" ? "" : "\(access) " }

    func text() -> String {
        var source = SourceText()
        names.head(&source)
        let shared = names.shared.isEmpty ? nil : sharedModule
        for module in [shared, "JSON", "Varlink"].compactMap(\.self) where module != home {
            source.line("\(prefix)import \(module)")
        }
        source.line()
        source.line("/// The types of `\(description.name)`. Its definition describes them.")
        source.block("\(prefix)enum \(names.namespace)") { source in
            source.line("\(prefix)static let name = \"\(description.name)\"")
            methodNames(&source)
            for type in description.types {
                source.line()
                if let name = names.shared[type.name] {
                    source.line("\(prefix)typealias \(type.name) = \(sharedModule.map { "\($0)." } ?? "")\(name)")
                } else {
                    declaration(type, as: type.name, &source)
                }
            }
            for method in description.methods { calls(method, &source) }
        }
        return source.text
    }

    private func methodNames(_ source: inout SourceText) {
        guard !description.methods.isEmpty else { return }
        source.line()
        source.block("\(prefix)enum Method: \(names.standard("String")), Sendable, CaseIterable") { source in
            for method in description.methods {
                source.line("case \(SwiftNames.method(method.name)) = \"\(description.name).\(method.name)\"")
            }
        }
    }

    fileprivate func declaration(
        _ type: VarlinkDescription.Declaration,
        as name: String,
        _ source: inout SourceText
    ) {
        switch type.type {
        case .enum(let words): source.words(name, words, prefix, names)
        case .struct(let fields): structure(name, "JSONRecord", fields, &source)
        // A `type` declares only structs and enums.
        default: break
        }
    }

    private func calls(_ method: VarlinkDescription.Method, _ source: inout SourceText) {
        source.line()
        let call = InterfaceNames.call(method)
        let reply = InterfaceNames.reply(method)
        structure(call, "VarlinkMethodCall", method.input, &source) { source in
            source.line("\(prefix)typealias Reply = \(names.namespace).\(reply)")
            source.line()
            source.line("\(prefix)static let method = \"\(description.name).\(method.name)\"")
        }
        source.line()
        let same = description.methods.first { record($0.output) == record(method.output) }
        guard let same, same.name != method.name else {
            return structure(reply, "JSONRecord", method.output, &source)
        }
        source.line("\(prefix)typealias \(reply) = \(InterfaceNames.reply(same))")
    }

    /// The text of a reply without its name. The comments on its members are not in it.
    private func record(_ fields: [VarlinkField]) -> String {
        var source = SourceText()
        structure("", "JSONRecord", fields, &source)
        return source.text
    }

    /// Adds a struct.
    ///
    /// - Parameter first: the text before the members.
    private func structure(
        _ name: String,
        _ conformance: String,
        _ fields: [VarlinkField],
        _ source: inout SourceText,
        first: ((inout SourceText) -> Void)? = nil
    ) {
        source.block("\(prefix)struct \(name): \(conformance)") { source in
            if let first {
                first(&source)
                source.line()
            }
            for field in fields {
                nested(field.name, field.type, &source)
            }
            for field in fields {
                source.line("\(prefix)var \(SwiftNames.member(field.name)): \(names.type(of: field))")
            }
            if !fields.isEmpty { source.line() }
            initialiser(fields, &source)
            source.line()
            members(fields, &source)
        }
    }

    /// Adds the type of a member that was declared in place.
    private func nested(_ name: String, _ type: VarlinkType, _ source: inout SourceText) {
        switch type {
        case .maybe(let inner), .array(let inner), .map(let inner): nested(name, inner, &source)
        case .enum(let words):
            source.words(SwiftNames.type(ofMember: name), words, prefix, names)
            source.line()
        case .struct(let fields) where !fields.isEmpty:
            structure(SwiftNames.type(ofMember: name), "JSONRecord", fields, &source)
            source.line()
        default: break
        }
    }

    private func initialiser(_ fields: [VarlinkField], _ source: inout SourceText) {
        let arguments = fields.map { field in
            "\(SwiftNames.member(field.name)): \(names.type(of: field))\(field.isOptional ? " = nil" : "")"
        }
        guard !fields.isEmpty else { return source.line("\(prefix)init() {}") }
        source.list("\(prefix)init", arguments, " {")
        source.indented { source in
            for field in fields {
                let name = SwiftNames.member(field.name)
                source.line("self.\(name) = \(name)")
            }
        }
        source.line("}")
    }

    /// Adds the list of members, from which a record is read and written.
    private func members(_ fields: [VarlinkField], _ source: inout SourceText) {
        let members = fields.map { field in
            let name = SwiftNames.member(field.name)
            return ".init(\"\(field.name)\", \\.\(name))"
        }
        source.array("\(prefix)static let members: [JSONMember<Self>] =", members)
    }
}

/// The Swift file with the types that several interfaces and the program's own modules share.
struct SharedFile {
    let interfaces: [TypesFile]

    func text() -> String {
        var source = SourceText()
        source.generatedHead(interfaces.map(\.description.name))
        source.line("public import JSON")
        var declared: Set<String> = []
        for interface in interfaces {
            for type in interface.description.types {
                guard let name = interface.names.shared[type.name], declared.insert(name).inserted else { continue }
                source.line()
                source.documentation(type.documentation)
                interface.declaration(type, as: name, &source)
            }
        }
        return source.text
    }
}

extension VarlinkField {
    /// Whether the member may be absent.
    var isOptional: Bool { if case .maybe = type { true } else { false } }
}

extension VarlinkType {
    /// The type of a value that is not null.
    var present: VarlinkType { if case .maybe(let inner) = self { inner } else { self } }
}

/// The Swift file for the server of an interface: a protocol with a function for each method, and the code that calls
/// them. The comments of the definition are not repeated in it.
struct ServerFile {
    let description: VarlinkDescription
    let names: InterfaceNames
    /// The module that contains the types, if it is another one.
    let module: String?
    /// The module that the file becomes part of, if that is one of those that generated code imports.
    var home: String?

    private var server: String { "\(names.namespace)Server" }

    func text() -> String {
        var source = SourceText()
        names.head(&source)
        let modules = ["Varlink", "VarlinkService"] + (module.map { [$0] } ?? [])
        for module in modules.sorted() where module != home { source.line("import \(module)") }
        source.line()
        source.line("/// Carries out the methods of `\(description.name)`. Its definition describes them.")
        source.block("protocol \(server): VarlinkInterface") { source in
            for method in description.methods { source.line("\(function(method)) async throws") }
        }
        source.line()
        source.block("extension \(server)") { source in
            source.line("var name: String { \(names.namespace).name }")
            source.line()
            source.line("var description: String { \(names.namespace).definition }")
            source.line()
            source.block("func call(_ call: VarlinkCall) async throws") { source in
                source.line("switch call.method {")
                for method in description.methods {
                    let name = SwiftNames.method(method.name)
                    source.line("case \"\(method.name)\": try await self.\(name)(try TypedCall(call))")
                }
                source.line("default: throw VarlinkError.methodNotImplemented(call.method)")
                source.line("}")
            }
        }
        return source.text
    }

    private func function(_ method: VarlinkDescription.Method) -> String {
        let type = "TypedCall<\(names.namespace).\(InterfaceNames.call(method))>"
        return "func \(SwiftNames.method(method.name))(_ call: \(type))"
    }
}

/// The Swift file with one type for the errors of several interfaces: a code for each, and a function that makes the error
/// from its parameters.
struct ErrorsFile {
    /// The interfaces, with the names of their types.
    let interfaces: [(names: InterfaceNames, description: VarlinkDescription)]
    /// The name of the type.
    let name: String
    /// `public`, `package` or `internal`.
    let access: String
    /// The module that the file becomes part of, if that is one of those that generated code imports.
    var home: String?

    private struct Parameter {
        let key: String
        let name: String
        let type: String
        let isOptional: Bool
    }

    private struct Case {
        let name: String
        /// The name with the interface.
        let qualified: String
        let parameters: [Parameter]
    }

    /// Members of every such type.
    private static let reserved: Set = ["code", "parameters", "description"]

    private var prefix: String { access == "internal" ? "" : "\(access) " }

    /// Generates the file.
    ///
    /// - Throws: `GeneratorError` if two errors or parameters would have one name.
    func text() throws(GeneratorError) -> String {
        let cases = try cases()
        let accessors = try accessors(cases)
        var source = SourceText()
        source.generatedHead(interfaces.map(\.description.name))
        for module in ["JSON", "Varlink"] where module != home { source.line("\(prefix)import \(module)") }
        source.line()
        source.line("/// An error of one of the interfaces. Their definitions describe them.")
        source.block("\(prefix)struct \(name): VarlinkFault") { source in
            source.block("\(prefix)enum Code: String, Sendable, CaseIterable") { source in
                for each in cases { source.line("case \(each.name) = \"\(each.qualified)\"") }
            }
            source.line()
            words(&source)
            source.line("\(prefix)let code: Code")
            source.line("\(prefix)let parameters: JSONObject")
            source.line()
            source.block("\(prefix)init(_ code: Code, _ parameters: JSONObject)") { source in
                source.line("self.code = code")
                source.line("self.parameters = parameters")
            }
        }
        source.line()
        source.block("extension \(name)") { source in
            for each in cases { factory(each, &source) }
        }
        guard !accessors.isEmpty else { return source.text }
        source.line()
        source.line("/// The parameters; nil for an error without the parameter.")
        source.block("extension \(name)") { source in
            if cases.allSatisfy({ $0.parameters.contains { $0.key == "message" } }) {
                source.line("\(prefix)var message: String { description }")
            }
            for each in accessors {
                source.line("\(prefix)var \(each.name): \(each.type)? { read(\"\(each.key)\") }")
            }
        }
        return source.text
    }

    /// Adds the enums that parameters declare in place.
    private func words(_ source: inout SourceText) {
        for (names, description) in interfaces {
            for case .struct(let fields) in description.errors.map(\.type) {
                for field in fields {
                    guard case .enum(let words) = field.type.present else { continue }
                    source.words(SwiftNames.type(ofMember: field.name), words, prefix, names)
                    source.line()
                }
            }
        }
    }

    private func factory(_ error: Case, _ source: inout SourceText) {
        let parameters = error.parameters.map { "\($0.name): \($0.type)\($0.isOptional ? "? = nil" : "")" }
        let values = error.parameters.map { "(\"\($0.key)\", \($0.name))" }
        let body = "\(name)(\(([".\(error.name)"] + values).joined(separator: ", ")))"
        let head = "\(prefix)static func \(error.name)"
        source.list(head, parameters, " -> \(name) {")
        source.indented { $0.line(body) }
        source.line("}")
    }

    private func cases() throws(GeneratorError) -> [Case] {
        var taken: Set<String> = []
        var cases: [Case] = []
        for (names, description) in interfaces {
            for error in description.errors {
                let name = SwiftNames.method(error.name)
                guard taken.insert(name).inserted else { throw .nameTaken(name) }
                guard case .struct(let fields) = error.type else { continue }
                let parameters = fields.map { field in
                    Parameter(
                        key: field.name,
                        name: SwiftNames.member(field.name),
                        type: names.type(field.type.present, ofMember: field.name),
                        isOptional: field.isOptional
                    )
                }
                cases.append(
                    Case(name: name, qualified: "\(description.name).\(error.name)", parameters: parameters)
                )
            }
        }
        return cases
    }

    /// The parameters of all errors, each once, without the message.
    private func accessors(_ cases: [Case]) throws(GeneratorError) -> [Parameter] {
        var accessors: [String: Parameter] = [:]
        for parameter in cases.flatMap(\.parameters) where parameter.key != "message" {
            let known = accessors.updateValue(parameter, forKey: parameter.name)
            guard known.map({ $0.type == parameter.type }) ?? !Self.reserved.contains(parameter.name) else {
                throw .nameTaken(parameter.name)
            }
        }
        return accessors.values.sorted { $0.key < $1.key }
    }
}

/// Swift source that is composed line by line.
struct SourceText {
    private static let width = 120

    private(set) var text = ""
    private var level = 0

    /// Adds the first lines of a file that is made from several interfaces.
    mutating func generatedHead(_ interfaces: [String]) {
        line("// SPDX-License-Identifier: Apache-2.0")
        line("// swift-format-ignore-file")
        line("// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.")
        for interface in interfaces { line("// \(interface)") }
        line()
    }

    /// Adds one line. An empty one is not indented.
    mutating func line(_ line: String = "") {
        if !line.isEmpty { text += String(repeating: " ", count: 4 * level) + line }
        text += "\n"
    }

    /// Adds a block in braces.
    ///
    /// - Parameter head: the text before the opening brace.
    mutating func block(_ head: String, _ body: (inout SourceText) throws -> Void) rethrows {
        line(head + " {")
        level += 1
        try body(&self)
        level -= 1
        line("}")
    }

    /// Adds a call or a declaration with its arguments, on one line if they fit.
    ///
    /// - Parameters:
    ///   - head: the text before the opening parenthesis.
    ///   - tail: the text after the closing parenthesis.
    mutating func list(_ head: String, _ arguments: [String], _ tail: String) {
        let short = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        guard short.count + 4 * level > Self.width else { return line(short) }
        line("\(head)(")
        level += 1
        for (index, argument) in arguments.enumerated() {
            line(argument + (index + 1 < arguments.count ? "," : ""))
        }
        level -= 1
        line(")\(tail)")
    }

    /// Adds the elements of an array literal: on the line of `head` if they fit, otherwise as many on a line as fit.
    mutating func array(_ head: String, _ elements: [String]) {
        let short = "\(head) [\(elements.joined(separator: ", "))]"
        guard short.count + 4 * level > Self.width else { return line(short) }
        line("\(head) [")
        indented { $0.filled("", elements, ",") }
        line("]")
    }

    /// Adds an enum of words.
    mutating func words(_ name: String, _ words: [String], _ prefix: String, _ names: InterfaceNames) {
        block("\(prefix)enum \(name): \(names.standard("String")), JSONWord") { source in
            source.filled(
                "case ",
                words.map { word in
                    let name = SwiftNames.member(word)
                    return name == "\(word)_" ? "\(name) = \"\(word)\"" : name
                }
            )
        }
    }

    /// Adds elements, as many on a line as fit, between the texts with which each line begins and ends.
    mutating func filled(_ start: String, _ elements: [String], _ end: String = "") {
        var rest = elements[...]
        while let first = rest.popFirst() {
            var text = start + first
            while let next = rest.first, 4 * level + text.count + next.count + 2 + end.count <= Self.width {
                text += ", " + next
                rest.removeFirst()
            }
            line(text + end)
        }
    }

    /// Adds the lines of a text as a documentation comment.
    mutating func documentation(_ text: String) {
        guard !text.isEmpty else { return }
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            line(part.isEmpty ? "///" : "/// \(part)")
        }
    }

    /// Adds lines with a deeper indentation.
    mutating func indented(_ body: (inout SourceText) throws -> Void) rethrows {
        level += 1
        try body(&self)
        level -= 1
    }
}
