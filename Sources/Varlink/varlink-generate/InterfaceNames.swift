// SPDX-License-Identifier: Apache-2.0

import Varlink

/// The names of the types that are generated for an interface.
struct InterfaceNames {
    /// Types of Swift that generated code uses. It writes `Swift.` before a name that the interface uses too.
    private static let standard: Set = ["Bool", "Int64", "Double", "String"]

    /// Other names that generated code uses.
    private static let reserved: Set = [
        "Method", "JSON", "JSONObject", "JSONMember", "JSONRecord", "JSONShapeError", "JSONValue",
        "JSONWord", "Swift", "VarlinkMethodCall",
    ]

    let namespace: String
    private let interface: String
    private let types: Set<String>
    /// The names of types that are declared in another module.
    let shared: [String: String]

    /// Chooses the names.
    ///
    /// - Parameter shared: the types that are declared outside of the namespace.
    /// - Throws: `GeneratorError` if two types would have the same name, or a type would contain itself.
    init(
        _ description: VarlinkDescription,
        namespace: String,
        shared: SharedTypes = SharedTypes()
    ) throws(GeneratorError) {
        self.namespace = namespace
        self.shared = shared.names(of: description)
        interface = description.name
        let outer =
            description.types.map(\.name) + description.methods.flatMap { [Self.call($0), Self.reply($0)] }
        var cases: Set<String> = []
        for name in description.methods.map(\.name) where !cases.insert(SwiftNames.method(name)).inserted {
            throw .nameTaken(name)
        }
        var types = Self.reserved.union([namespace])
        for name in outer where !types.insert(name).inserted { throw .nameTaken(name) }
        try Self.checkEnds(description)
        for fields in Self.structs(of: description) {
            var nested: Set<String> = []
            for field in fields where Self.isDeclaredInPlace(field.type) {
                let name = SwiftNames.type(ofMember: field.name)
                guard name != "Reply", !Self.reserved.contains(name), nested.insert(name).inserted else {
                    throw .nameTaken(name)
                }
                types.insert(name)
            }
        }
        self.types = types
    }

    /// The name of a Swift type in generated code.
    func standard(_ name: String) -> String {
        Self.standard.contains(name) && types.contains(name) ? "Swift.\(name)" : name
    }

    /// The lines at the top of a generated file.
    func head(_ source: inout SourceText) {
        source.line("// SPDX-License-Identifier: Apache-2.0")
        source.line("// swift-format-ignore-file")
        source.line(
            "// Made by varlink-generate from \(interface).varlink. Change that file, then run `make generate`."
        )
        source.line()
    }

    static func call(_ method: VarlinkDescription.Method) -> String { "\(method.name)Call" }

    static func reply(_ method: VarlinkDescription.Method) -> String { "\(method.name)Reply" }

    /// The Swift type of a member.
    func type(of field: VarlinkField) -> String { type(field.type, ofMember: field.name) }

    /// The Swift type of a member or of a part of it.
    func type(_ type: VarlinkType, ofMember name: String) -> String {
        switch type {
        case .bool: standard("Bool")
        case .int: standard("Int64")
        case .float: standard("Double")
        case .string: standard("String")
        case .object: "JSONObject"
        case .any: "JSONValue"
        case .maybe(let inner): "\(self.type(inner, ofMember: name))?"
        case .array(let inner): "[\(self.type(inner, ofMember: name))]"
        case .map(let inner): "[\(standard("String")): \(self.type(inner, ofMember: name))]"
        case .struct(let fields): fields.isEmpty ? "JSONObject" : SwiftNames.type(ofMember: name)
        case .enum: SwiftNames.type(ofMember: name)
        case .named(let name): shared[name] ?? "\(namespace).\(name)"
        }
    }

    private static func isDeclaredInPlace(_ type: VarlinkType) -> Bool {
        switch type {
        case .maybe(let inner), .array(let inner), .map(let inner): isDeclaredInPlace(inner)
        case .enum: true
        case .struct(let fields): !fields.isEmpty
        default: false
        }
    }

    /// The members of every struct, including structs that are declared in place.
    private static func structs(of description: VarlinkDescription) -> [[VarlinkField]] {
        func structs(in type: VarlinkType) -> [[VarlinkField]] {
            switch type {
            case .maybe(let inner), .array(let inner), .map(let inner): structs(in: inner)
            case .struct(let fields): [fields] + fields.flatMap { structs(in: $0.type) }
            default: []
            }
        }
        let declared = (description.types + description.errors).map(\.type)
        let methods = description.methods.flatMap { [VarlinkType.struct($0.input), .struct($0.output)] }
        return (declared + methods).flatMap(structs(in:))
    }

    private static func checkEnds(_ description: VarlinkDescription) throws(GeneratorError) {
        let types = Dictionary(description.types.map { ($0.name, $0.type) }) { first, _ in first }
        /// Named types that a value of this type contains directly, without an array or a map between.
        func held(by type: VarlinkType) -> [String] {
            switch type {
            case .maybe(let inner): held(by: inner)
            case .struct(let fields): fields.flatMap { held(by: $0.type) }
            case .named(let name): [name]
            default: []
            }
        }
        for name in description.types.map(\.name) {
            var seen: Set<String> = []
            var open = held(by: .named(name)).compactMap { types[$0] }.flatMap(held(by:))
            while let next = open.popLast() {
                guard next != name else { throw .endless(name) }
                guard seen.insert(next).inserted, let type = types[next] else { continue }
                open += held(by: type)
            }
        }
    }
}

/// Conversion of an interface's names to Swift.
enum SwiftNames {
    private static let keywords: Set = [
        "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
        "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try",
        "typealias", "var", "where", "while",
    ]

    /// Names that generated types use within themselves.
    private static let taken: Set = [
        "self", "Self", "Type", "Protocol", "json", "jsonValue", "jsonShape", "hashValue", "rawValue", "allCases",
    ]

    /// The name of a property, a parameter or a case.
    static func member(_ name: String) -> String {
        if taken.contains(name) { return name + "_" }
        return keywords.contains(name) ? "`\(name)`" : name
    }

    /// The name of a method as a function or a case: `GetInfo` becomes `getInfo`, `URLs` becomes `urls`.
    static func method(_ name: String) -> String {
        let capitals = name.prefix { $0.isUppercase }.count
        let isAcronym = capitals > 1 && capitals < name.count && name.dropFirst(capitals).first?.isLowercase == true
        // The last capital of an acronym begins the next word, unless only the "s" of a plural follows.
        let isPlural = isAcronym && name.dropFirst(capitals) == "s"
        let count = isAcronym && !isPlural ? capitals - 1 : capitals
        return member(name.prefix(count).lowercased() + name.dropFirst(count))
    }

    /// The type name for a member whose type has no name: `vaultState` becomes `VaultState`.
    static func type(ofMember name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}

/// The types of interfaces that the program's own modules use too: each has one declaration, outside of the namespaces.
struct SharedTypes {
    private var names: [String: String] = [:]

    /// No types.
    init() {}

    /// Reads lines with the name of a type in its interface, and its name in Swift. Two types with the same members may
    /// have the same name.
    init(parsing text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2 { names[String(words[0])] = String(words[1]) }
        }
    }

    func names(of description: VarlinkDescription) -> [String: String] {
        var own: [String: String] = [:]
        for type in description.types { own[type.name] = names["\(description.name).\(type.name)"] }
        return own
    }
}
