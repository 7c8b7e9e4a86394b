// SPDX-License-Identifier: Apache-2.0

package import Remoting

/// The services, structs, enums and arrays that a RODL file declares. It is the vendor's XML for the interface of a
/// server.
///
/// Types are resolved when they are used, so that a type that is not known spoils only the methods that use it. Types
/// of Data Abstract that the file lacks are those of `ServiceCatalog`.
package struct RODLFile: Sendable {
    /// A name of a type, and its line.
    struct TypeName {
        let text: String
        let line: Int
    }

    struct Parameter {
        enum Flag: String {
            case input = "in"
            case output = "out"
            case both = "inout"
            case result
        }

        let name: String
        let type: TypeName
        let flag: Flag
    }

    struct Operation {
        let name: String
        var parameters: [Parameter] = []
    }

    struct Service {
        let name: String
        let ancestor: String?
        var operations: [Operation] = []
    }

    struct Struct {
        let name: String
        let ancestor: String?
        var fields: [(name: String, type: TypeName)] = []
    }

    /// The declarations of a file, before types are resolved. Keys are names in lower case.
    struct Declarations {
        var services: [Service] = []
        var structs: [String: Struct] = [:]
        var enums: [String: [String]] = [:]
        var arrays: [String: TypeName] = [:]
    }

    /// The number of ancestors or of nested arrays. More are a cycle.
    private static let depth = 16
    /// The number of fields of all structs, with those of their ancestors, which many structs may share.
    private static let maximumFields = 1 << 18

    private let declarations: Declarations
    /// The structs of the file whose types are known, and those of Data Abstract.
    package let structs: StructCatalog

    /// Parses a file.
    ///
    /// - Throws: `RODLError`.
    package init(parsing xml: String) throws(RODLError) {
        declarations = try RODLReader().read(xml)
        var structs = ServiceCatalog.structs
        var count = 0
        for declared in declarations.structs.values {
            // A struct with an unknown type is not known either.
            guard let fields = try? declarations.fields(of: declared, Self.depth) else { continue }
            count += fields.count
            guard count <= Self.maximumFields else { throw .tooMany("fields", limit: Self.maximumFields) }
            structs.define(declared.name, fields)
        }
        self.structs = structs
    }

    /// Returns a method of a service or its ancestors. If the file does not declare the service, which may be a
    /// descendant on the server, the first service with such a method counts. Names are compared ignoring case.
    ///
    /// - Throws: `RODLError.unknownType`. Returns nil if there is no such method.
    package func signature(of method: String, service: String) throws(RODLError) -> MethodSignature? {
        guard let operation = operation(method, service) else { return nil }
        func types(_ flags: Set<Parameter.Flag>) throws(RODLError) -> [NamedType] {
            var types: [NamedType] = []
            for parameter in operation.parameters where flags.contains(parameter.flag) {
                types.append(NamedType(parameter.name, try declarations.type(parameter.type, Self.depth)))
            }
            return types
        }
        return MethodSignature(
            operation.name,
            try types([.input, .both]),
            results: try types([.result]) + types([.both, .output])
        )
    }

    private func operation(_ method: String, _ service: String) -> Operation? {
        func isNamed(_ name: String?) -> (Service) -> Bool { { $0.name.lowercased() == name?.lowercased() } }
        func own(_ service: Service) -> Operation? {
            service.operations.first { $0.name.lowercased() == method.lowercased() }
        }
        guard var current = declarations.services.first(where: isNamed(service)) else {
            return declarations.services.lazy.compactMap(own).first
        }
        for _ in 0..<Self.depth {
            if let found = own(current) { return found }
            guard let ancestor = declarations.services.first(where: isNamed(current.ancestor)) else { break }
            current = ancestor
        }
        return nil
    }
}

/// The reason why a RODL file cannot be used.
package enum RODLError: Error, Hashable, Sendable {
    /// The document is not well-formed, declares a document type, or lacks an attribute. `reason` is a sentence
    /// fragment, and may contain untrusted text.
    case malformed(reason: String, line: Int)
    /// A type is neither declared nor built in. The name is untrusted text.
    case unknownType(String, line: Int)
    /// A number exceeds the limits.
    case tooMany(_ what: String, limit: Int)
    case outOfMemory
}

extension RODLError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let reason, let line): "line \(line): \(reason)"
        case .unknownType(let name, let line): "line \(line): the type '\(name)' is not known"
        case .tooMany(let what, let limit): "more than \(limit) \(what)"
        case .outOfMemory: "not enough memory"
        }
    }
}

extension RODLFile.Declarations {
    private static let plain: [String: RemotingType] = [
        "integer": .integer, "int64": .int64, "double": .double, "boolean": .boolean, "datetime": .dateTime,
        "currency": .currency, "decimal": .decimal, "guid": .guid, "string": .ansiString, "ansistring": .ansiString,
        "utf8string": .utf8String, "widestring": .wideString, "xml": .xml, "binary": .binary, "variant": .variant,
        // An array of Data Abstract whose name is not that of its elements.
        "stringarray": .array(of: .utf8String), "variantarray": .array(of: .variant),
    ]

    fileprivate func type(_ name: RODLFile.TypeName, _ depth: Int) throws(RODLError) -> RemotingType {
        let key = name.text.lowercased()
        guard depth > 0 else { throw .malformed(reason: "types that contain each other", line: name.line) }
        if let declared = structs[key] { return .structure(declared.name) }
        if let values = enums[key] { return .enumeration(names: values) }
        if let element = arrays[key] { return .array(of: try type(element, depth - 1)) }
        if let plain = Self.plain[key] { return plain }
        if ServiceCatalog.structs.fields(of: name.text) != nil { return .structure(name.text) }
        let element = String(name.text.dropLast("Array".count))
        if key.hasSuffix("array"), ServiceCatalog.structs.fields(of: element) != nil {
            return .array(of: .structure(element))
        }
        throw .unknownType(name.text, line: name.line)
    }

    /// Returns the fields of a struct and its ancestors.
    fileprivate func fields(of declared: RODLFile.Struct, _ depth: Int) throws(RODLError) -> [NamedType] {
        var fields: [NamedType] = []
        for field in declared.fields { fields.append(NamedType(field.name, try type(field.type, depth))) }
        guard let ancestor = declared.ancestor, !ancestor.isEmpty else { return fields }
        if let parent = structs[ancestor.lowercased()], depth > 0 {
            return try self.fields(of: parent, depth - 1) + fields
        }
        guard let known = ServiceCatalog.structs.fields(of: ancestor) else {
            throw .unknownType(ancestor, line: declared.fields.first?.type.line ?? 0)
        }
        return known + fields
    }
}
