// SPDX-License-Identifier: Apache-2.0

import Platform
package import Remoting

/// The services, structs, enums and arrays that a RODL declares. It is the vendor's description of the interface of a
/// server, in XML (version 3) or JSON (version 4).
///
/// Types are resolved when they are used, so that a type that is not known spoils only the methods that use it. Types
/// of Data Abstract that the file lacks, and services that are ancestors of its own, are those of `ServiceCatalog`.
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

    struct Enum {
        let name: String
        var values: [String] = []
    }

    /// The services of Data Abstract. Their types have no line.
    private static let known = ServiceCatalog.services.map { service in
        Service(
            name: service.name,
            ancestor: service.ancestor,
            operations: service.methods.map { Operation(name: $0.name, parameters: parameters(of: $0)) }
        )
    }

    private static func parameters(of method: MethodSignature) -> [Parameter] {
        func parameter(_ declared: NamedType, _ flag: Parameter.Flag) -> Parameter {
            Parameter(
                name: declared.name,
                type: TypeName(text: RODLTypes.name(of: declared.type), line: 0),
                flag: flag
            )
        }
        return method.parameters.map { parameter($0, .input) }
            + method.results.map { parameter($0, $0.name == "Result" ? .result : .output) }
    }

    /// The declarations of a file, before types are resolved. Keys are names in lower case.
    struct Declarations {
        var services: [Service] = []
        var structs: [String: Struct] = [:]
        var enums: [String: Enum] = [:]
        var arrays: [String: TypeName] = [:]
    }

    /// The number of ancestors or of nested arrays. More are a cycle.
    static let depth = 16
    /// The number of fields of all structs, with those of their ancestors, which many structs may share.
    private static let maximumFields = 1 << 18

    let declarations: Declarations
    /// The services of the file and those of Data Abstract, by name in lower case. The first of a name counts.
    private let servicesByName: [String: Service]
    /// The structs of the file whose types are known, and those of Data Abstract.
    package let structs: StructCatalog

    /// Parses a file.
    ///
    /// - Throws: `RODLError`.
    package init(parsing xml: String) throws(RODLError) {
        declarations = try RODLReader().read(xml)
        servicesByName = Dictionary((declarations.services + Self.known).map { ($0.name.lowercased(), $0) }) {
            first,
            _ in
            first
        }
        var structs = ServiceCatalog.structs
        var count = 0
        for declared in declarations.structs.values {
            // A struct with an unknown type is not known either.
            guard let fields = try? declarations.fields(of: declared) else { continue }
            count += fields.count
            guard count <= Self.maximumFields else { throw .tooMany("fields", limit: Self.maximumFields) }
            structs.define(declared.name, fields)
        }
        self.structs = structs
    }

    /// Parses a file in the encoding that it declares.
    ///
    /// - Throws: `RODLError`.
    package init(file bytes: [UInt8]) throws(RODLError) {
        let text: String
        do {
            text = try DocumentText.decode(bytes)
        } catch {
            throw .malformed(reason: "\(error)", line: 1)
        }
        try self.init(parsing: text)
    }

    /// Returns a method of a service or its ancestors. If the file does not declare the service, which may be a
    /// descendant on the server, the first service with such a method counts. Names are compared ignoring case.
    ///
    /// - Throws: `RODLError.unknownType`. Returns nil if there is no such method.
    package func signature(of method: String, service: String) throws(RODLError) -> MethodSignature? {
        guard let operation = operation(method, service) else { return nil }
        return try signature(of: operation)
    }

    /// Returns a method with its types.
    ///
    /// - Throws: `RODLError.unknownType`.
    func signature(of operation: Operation) throws(RODLError) -> MethodSignature {
        func types(_ flags: Set<Parameter.Flag>) throws(RODLError) -> [NamedType] {
            var types: [NamedType] = []
            for parameter in operation.parameters where flags.contains(parameter.flag) {
                types.append(NamedType(parameter.name, try declarations.type(parameter.type)))
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
        func own(_ service: Service) -> Operation? {
            service.operations.first { $0.name.lowercased() == method.lowercased() }
        }
        guard let declared = declarations.services.first(where: { $0.name.lowercased() == service.lowercased() }) else {
            return declarations.services.lazy.compactMap(own).first
        }
        return lineage(of: declared).lazy.compactMap(own).first
    }

    /// The service and its ancestors, in this order. An ancestor that the file lacks may be one of Data Abstract.
    func lineage(of service: Service) -> [Service] {
        var services = [service]
        while services.count < Self.depth, let name = services.last?.ancestor?.lowercased(),
            let ancestor = servicesByName[name]
        {
            services.append(ancestor)
        }
        return services
    }

    /// The services of the file, in its order.
    ///
    /// - Throws: `RODLError.tooMany` for more methods and parameters, inherited ones included, than fields are allowed.
    package func services() throws(RODLError) -> [DescribedService] {
        var count = 0
        var described: [DescribedService] = []
        for service in declarations.services {
            var methods: [DescribedService.Method] = []
            for origin in lineage(of: service) {
                for operation in origin.operations {
                    count += 1 + operation.parameters.count
                    guard count <= Self.maximumFields else { throw .tooMany("methods", limit: Self.maximumFields) }
                    methods.append(DescribedService.Method(operation, of: origin.name))
                }
            }
            described.append(DescribedService(name: service.name, ancestor: service.ancestor, methods: methods))
        }
        return described
    }
}

/// A service of a RODL as it is shown. All texts are untrusted.
package struct DescribedService: Hashable, Sendable {
    /// A method.
    package struct Method: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The service that declares the method: the service itself, or an ancestor.
        package let origin: String
        /// The parameters in the order of the declaration, without the result.
        package let parameters: [Parameter]
        /// The type of the result as declared; nil if there is none.
        package let result: String?

        fileprivate init(_ operation: RODLFile.Operation, of origin: String) {
            name = operation.name
            self.origin = origin
            parameters = operation.parameters.filter { $0.flag != .result }.map {
                Parameter(name: $0.name, type: $0.type.text, direction: $0.flag.rawValue)
            }
            result = operation.parameters.first { $0.flag == .result }?.type.text
        }
    }

    /// A parameter.
    package struct Parameter: Hashable, Sendable {
        /// The name.
        package let name: String
        /// The type as declared.
        package let type: String
        /// The direction: `in`, `out` or `inout`.
        package let direction: String
    }

    /// The name.
    package let name: String
    /// The service whose methods it also answers; nil if there is none.
    package let ancestor: String?
    /// Its own methods, then those of its ancestors that are known.
    package let methods: [Method]
}

/// The reason why a RODL file cannot be used.
package enum RODLError: Error, Hashable, Sendable {
    /// The document is not well-formed, declares a document type, or lacks an attribute. `reason` is a sentence
    /// fragment, and may contain untrusted text. The line is 0 if it is not known.
    case malformed(reason: String, line: Int)
    /// A type is neither declared nor built in. The name is untrusted text.
    case unknownType(String, line: Int)
    /// A type such as `NullableInteger`, whose form in a message is not documented. The name is untrusted text.
    case nullableType(String, line: Int)
    /// A number exceeds the limits.
    case tooMany(_ what: String, limit: Int)
    case outOfMemory
}

extension RODLError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let reason, let line): Self.place(line) + reason
        case .unknownType(let name, let line): Self.place(line) + "the type '\(name)' is not known"
        case .nullableType(let name, let line):
            Self.place(line) + "the form of the type '\(name)' in messages is not documented"
        case .tooMany(let what, let limit): "more than \(limit) \(what)"
        case .outOfMemory: "not enough memory"
        }
    }

    /// JSON has no lines.
    private static func place(_ line: Int) -> String { line > 0 ? "line \(line): " : "" }
}

extension RODLFile.Declarations {
    func type(_ name: RODLFile.TypeName, _ depth: Int = RODLFile.depth) throws(RODLError) -> RemotingType {
        let key = name.text.lowercased()
        guard depth > 0 else { throw .malformed(reason: "types that contain each other", line: name.line) }
        if let declared = structs[key] { return .structure(declared.name) }
        if let found = enums[key] { return .enumeration(names: found.values) }
        if let element = arrays[key] { return .array(of: try type(element, depth - 1)) }
        if let known = RODLTypes.type(named: key) { return known }
        throw RODLTypes.isNullable(key)
            ? .nullableType(name.text, line: name.line) : .unknownType(name.text, line: name.line)
    }

    /// Returns the fields of a struct and its ancestors.
    func fields(
        of declared: RODLFile.Struct,
        _ depth: Int = RODLFile.depth
    ) throws(RODLError) -> [NamedType] {
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
