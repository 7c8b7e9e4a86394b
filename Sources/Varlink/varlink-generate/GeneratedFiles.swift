// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The Swift file with the types of an interface: its records, enums, calls, replies and errors, in one namespace. The
/// comments of the definition are not repeated in it.
struct TypesFile {
    let description: VarlinkDescription
    let names: InterfaceNames
    /// `public`, `package` or `internal`.
    let access: String
    /// The module that the file becomes part of, if that is one of those that generated code imports.
    var home: String?

    private var prefix: String { access == "internal" ? "" : "\(access) " }

    func text() -> String {
        var source = SourceText()
        names.head(&source)
        for module in ["JSON", "Varlink"] where module != home { source.line("\(prefix)import \(module)") }
        source.line()
        source.line("/// The types of `\(description.name)`. Its definition describes them.")
        source.block("\(prefix)enum \(names.namespace)") { source in
            source.line("\(prefix)static let name = \"\(description.name)\"")
            methodNames(&source)
            for type in description.types { declaration(type, &source) }
            for method in description.methods { calls(method, &source) }
            for error in description.errors { record(error, &source) }
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

    private func declaration(_ type: VarlinkDescription.Declaration, _ source: inout SourceText) {
        source.line()
        switch type.type {
        case .enum(let words): self.words(type.name, words, &source)
        case .struct(let fields): structure(type.name, "JSONRecord", fields, &source)
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
        structure(reply, "JSONRecord", method.output, &source)
    }

    private func record(_ error: VarlinkDescription.Declaration, _ source: inout SourceText) {
        guard case .struct(let fields) = error.type else { return }
        source.line()
        structure(InterfaceNames.error(error), "VarlinkErrorRecord", fields, &source) { source in
            source.line("\(prefix)static let name = \"\(description.name).\(error.name)\"")
        }
    }

    private func words(_ name: String, _ words: [String], _ source: inout SourceText) {
        source.block("\(prefix)enum \(name): \(names.standard("String")), JSONWord") { source in
            source.filled(
                "case ",
                words.map { word in
                    let name = SwiftNames.member(word)
                    return name == "\(word)_" ? "\(name) = \"\(word)\"" : name
                }
            )
        }
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
                source.line("\(prefix)var \(SwiftNames.member(field.name)): \(type(of: field))")
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
            self.words(SwiftNames.type(ofMember: name), words, &source)
            source.line()
        case .struct(let fields) where !fields.isEmpty:
            structure(SwiftNames.type(ofMember: name), "JSONRecord", fields, &source)
            source.line()
        default: break
        }
    }

    private func initialiser(_ fields: [VarlinkField], _ source: inout SourceText) {
        let arguments = fields.map { field in
            "\(SwiftNames.member(field.name)): \(type(of: field))\(field.isOptional ? " = nil" : "")"
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

    private func type(of field: VarlinkField) -> String { type(field.type, ofMember: field.name) }

    private func type(_ type: VarlinkType, ofMember name: String) -> String {
        switch type {
        case .bool: names.standard("Bool")
        case .int: names.standard("Int64")
        case .float: names.standard("Double")
        case .string: names.standard("String")
        case .object: "JSONObject"
        case .any: "JSONValue"
        case .maybe(let inner): "\(self.type(inner, ofMember: name))?"
        case .array(let inner): "[\(self.type(inner, ofMember: name))]"
        case .map(let inner): "[\(names.standard("String")): \(self.type(inner, ofMember: name))]"
        case .struct(let fields): fields.isEmpty ? "JSONObject" : SwiftNames.type(ofMember: name)
        case .enum: SwiftNames.type(ofMember: name)
        case .named(let name): "\(names.namespace).\(name)"
        }
    }
}

extension VarlinkField {
    /// Whether the member may be absent.
    fileprivate var isOptional: Bool {
        if case .maybe = type { true } else { false }
    }
}

/// The Swift file for the server of an interface: a protocol with a function for each method, and the code that calls
/// them.
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
        source.line("/// Carries out the methods of `\(description.name)`.")
        source.block("protocol \(server): VarlinkInterface") { source in
            for (index, method) in description.methods.enumerated() {
                if index > 0 { source.line() }
                source.documentation(method.documentation)
                source.line("\(function(method)) async throws")
            }
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

/// The Swift file with one enum for the errors of several interfaces.
struct ErrorsFile {
    /// The interfaces, with the namespaces that contain their types.
    let interfaces: [(namespace: String, description: VarlinkDescription)]
    /// The name of the enum.
    let name: String
    /// `public`, `package` or `internal`.
    let access: String

    private struct Case {
        let name: String
        /// The type of the error.
        let record: String
        /// The name with the interface.
        let qualified: String
        let documentation: String
    }

    /// Names of the enum that are not cases.
    private static let reserved: Set = ["code", "record", "allCases"]

    private var prefix: String { access == "internal" ? "" : "\(access) " }

    /// Generates the file.
    ///
    /// - Throws: `GeneratorError.nameTaken` if two errors would become one case.
    func text() throws(GeneratorError) -> String {
        let cases = try cases()
        var source = SourceText()
        source.line("// SPDX-License-Identifier: Apache-2.0")
        source.line("// swift-format-ignore-file")
        source.line("// Made by varlink-generate from these interfaces. Change their files, then run `make generate`.")
        for interface in interfaces { source.line("// \(interface.description.name)") }
        source.line()
        source.line("\(prefix)import Varlink")
        source.line()
        source.line("/// An error of one of the interfaces.")
        source.block("\(prefix)enum \(name): Error, Hashable") { source in
            for each in cases {
                source.documentation(each.documentation)
                source.line("case \(each.name)(\(each.record))")
            }
            source.line()
            source.line("/// The name of an error, with its interface.")
            source.block("\(prefix)enum Code: String, Sendable, CaseIterable") { source in
                for each in cases { source.line("case \(each.name) = \"\(each.qualified)\"") }
            }
            source.line()
            source.line("/// - Returns: nil for an error of another interface, and for one that lacks a parameter.")
            source.block("\(prefix)init?(_ error: VarlinkError)") { source in
                source.line("switch Code(rawValue: error.name) {")
                for each in cases {
                    source.line("case .\(each.name)?:")
                    source.indented { source in
                        source.line("guard let record = \(each.record)(error) else { return nil }")
                        source.line("self = .\(each.name)(record)")
                    }
                }
                source.line("case nil: return nil")
                source.line("}")
            }
            source.line()
            source.line("/// The name.")
            property("code: Code", cases, &source) { "case .\($0.name): .\($0.name)" }
            source.line()
            source.line("/// The parameters.")
            property("record: any VarlinkErrorRecord", cases, &source) { "case .\($0.name)(let record): record" }
        }
        return source.text
    }

    private func property(
        _ declaration: String,
        _ cases: [Case],
        _ source: inout SourceText,
        _ line: (Case) -> String
    ) {
        source.block("\(prefix)var \(declaration)") { source in
            source.line("switch self {")
            for each in cases { source.line(line(each)) }
            source.line("}")
        }
    }

    private func cases() throws(GeneratorError) -> [Case] {
        var taken = Self.reserved
        var cases: [Case] = []
        for (namespace, description) in interfaces {
            for error in description.errors {
                let name = SwiftNames.method(error.name)
                guard taken.insert(name).inserted else { throw .nameTaken(name) }
                cases.append(
                    Case(
                        name: name,
                        record: "\(namespace).\(InterfaceNames.error(error))",
                        qualified: "\(description.name).\(error.name)",
                        documentation: error.documentation
                    )
                )
            }
        }
        return cases
    }
}

/// Swift source that is composed line by line.
struct SourceText {
    private static let width = 120

    private(set) var text = ""
    private var level = 0

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
