// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Remoting

/// The calls that a RODL declares in addition to those of Data Abstract, with the types that they need: what a generator
/// of code has to know. All texts are untrusted.
package struct DeclaredCalls: Sendable {
    /// A service.
    package struct Service: Sendable {
        /// The name.
        package let name: String
        /// Its own methods, and those of its ancestors. Names differ, also ignoring case.
        package let methods: [MethodSignature]
    }

    /// A struct.
    package struct Struct: Sendable {
        /// The name of the class.
        package let name: String
        /// The name of the struct whose fields are its first ones; nil if there is none.
        package let ancestor: String?
        /// All fields, those of the ancestor first. Names differ.
        package let fields: [NamedType]
    }

    /// An enum.
    package struct Enum: Sendable {
        /// The name.
        package let name: String
        /// The names of the values, by their ordinals.
        package let values: [String]
    }

    /// A method that cannot be called.
    package struct Omission: Sendable {
        /// The name of the service.
        package let service: String
        /// The name of the method.
        package let method: String
        /// The reason.
        package let reason: RODLError
    }

    /// The maximum number of methods, structs and enums, and of parts of one of them.
    package static let limit = 2_048
    /// The maximum number of parameters of all methods, and of fields of all structs.
    package static let totalLimit = 1 << 16

    /// The services that have methods, in the order of the file.
    package fileprivate(set) var services: [Service] = []
    /// The structs that methods use, their ancestors and descendants. A struct follows its ancestor.
    package fileprivate(set) var structs: [Struct] = []
    /// The enums that methods and structs use.
    package fileprivate(set) var enums: [Enum] = []
    /// The methods that are left out.
    package fileprivate(set) var omitted: [Omission] = []
    /// A RODL (version 4) of these calls and types.
    package fileprivate(set) var rodl: JSONObject = [:]
}

extension RODLFile {
    /// Returns the calls of the file. Services and methods of Data Abstract are left out.
    ///
    /// - Throws: `RODLError.tooMany`.
    package func calls() throws(RODLError) -> DeclaredCalls {
        var builder = CallBuilder(self)
        try builder.addServices()
        try builder.addTypes()
        return builder.calls
    }
}

private struct CallBuilder {
    private static let known = Set(ServiceCatalog.services.map { $0.name.lowercased() })

    private let file: RODLFile
    /// The structs that can be sent, by name in lower case. A struct with a field of an unknown type cannot, and neither
    /// can a struct with such a struct in it.
    private let structs: [String: DeclaredCalls.Struct]
    private var names: TypeNames
    private(set) var calls = DeclaredCalls()
    private var services: [JSONValue] = []
    /// The methods so far, with those that are left out, and their parameters.
    private var count = (methods: 0, parameters: 0)

    init(_ file: RODLFile) {
        self.file = file
        structs = Self.structs(of: file)
        names = TypeNames(file)
    }

    mutating func addServices() throws(RODLError) {
        var added = Self.known
        for service in file.declarations.services where added.insert(service.name.lowercased()).inserted {
            var methods: [MethodSignature] = []
            var operations: [JSONValue] = []
            var seen: Set<String> = []
            for ancestor in file.lineage(of: service) where !Self.known.contains(ancestor.name.lowercased()) {
                try add(ancestor.operations)
                for operation in ancestor.operations where seen.insert(operation.name.lowercased()).inserted {
                    do {
                        methods.append(try method(operation))
                        operations.append(try rodl(of: operation))
                    } catch {
                        calls.omitted.append(.init(service: service.name, method: operation.name, reason: error))
                    }
                }
            }
            guard !methods.isEmpty else { continue }
            calls.services.append(.init(name: service.name, methods: methods))
            services.append(["Name": .string(service.name), "Operations": .array(operations)])
        }
    }

    private mutating func add(_ operations: [RODLFile.Operation]) throws(RODLError) {
        count.methods += operations.count
        guard count.methods <= DeclaredCalls.limit else { throw .tooMany("methods", limit: DeclaredCalls.limit) }
        for operation in operations { count.parameters += operation.parameters.count }
        guard count.parameters <= DeclaredCalls.totalLimit else {
            throw .tooMany("parameters", limit: DeclaredCalls.totalLimit)
        }
    }

    /// - Throws: the reason why the method cannot be called.
    private func method(_ operation: RODLFile.Operation) throws(RODLError) -> MethodSignature {
        guard operation.parameters.count <= DeclaredCalls.limit else {
            throw .tooMany("parameters", limit: DeclaredCalls.limit)
        }
        let method = try file.signature(of: operation)
        for values in [method.parameters, method.results] {
            guard Set(values.map { $0.name.lowercased() }).count == values.count else {
                throw .malformed(reason: "two parameters of one name", line: 0)
            }
            for name in values.compactMap(\.type.structName) where structs[name.lowercased()] == nil {
                throw .unknownType(name, line: 0)
            }
        }
        return method
    }

    private mutating func rodl(of operation: RODLFile.Operation) throws(RODLError) -> JSONValue {
        var parameters: [JSONValue] = []
        for parameter in operation.parameters {
            parameters.append([
                "Name": .string(parameter.name), "Flag": .string(parameter.flag.rawValue),
                "DataType": .string(names.name(of: try file.declarations.type(parameter.type))),
            ])
        }
        return ["Name": .string(operation.name), "Parameters": .array(parameters)]
    }

    // MARK: Types

    private static func structs(of file: RODLFile) -> [String: DeclaredCalls.Struct] {
        var structs: [String: DeclaredCalls.Struct] = [:]
        for declared in ServiceCatalog.declaredStructs {
            let inherited = ServiceCatalog.declaredStructs.first { $0.name == declared.ancestor }?.fields ?? []
            structs[declared.name.lowercased()] = .init(
                name: declared.name,
                ancestor: declared.ancestor,
                fields: inherited + declared.fields
            )
        }
        for declared in file.declarations.structs.values {
            var fields: [NamedType] = []
            var names: Set<String> = []
            for field in (try? file.declarations.fields(of: declared)) ?? [] where names.insert(field.name).inserted {
                fields.append(field)
            }
            // A struct of which a type is unknown is not in the catalog of the file.
            let isKnown = file.structs.fields(of: declared.name) != nil && fields.count <= DeclaredCalls.limit
            structs[declared.name.lowercased()] =
                isKnown ? .init(name: declared.name, ancestor: declared.ancestor, fields: fields) : nil
        }
        var users: [String: [String]] = [:]
        for (key, found) in structs {
            for used in found.uses { users[used, default: []].append(key) }
        }
        var missing = users.keys.filter { structs[$0] == nil }
        while let name = missing.popLast() {
            for user in users.removeValue(forKey: name) ?? [] where structs.removeValue(forKey: user) != nil {
                missing.append(user)
            }
        }
        return structs
    }

    mutating func addTypes() throws(RODLError) {
        var heirs: [String: [String]] = [:]
        for (key, found) in structs {
            if let ancestor = found.ancestor { heirs[ancestor.lowercased(), default: []].append(key) }
        }
        let methods = calls.services.flatMap(\.methods)
        var open = methods.flatMap { $0.parameters + $0.results }.compactMap { $0.type.structName?.lowercased() }
        var used: Set<String> = []
        while let key = open.popLast() {
            guard let found = structs[key], used.insert(key).inserted else { continue }
            open += found.uses + (heirs[key] ?? [])
        }
        guard used.count <= DeclaredCalls.limit else { throw .tooMany("structs", limit: DeclaredCalls.limit) }
        for key in used.sorted() { add(key, &used) }
        guard calls.structs.reduce(0, { $0 + $1.fields.count }) <= DeclaredCalls.totalLimit else {
            throw .tooMany("fields", limit: DeclaredCalls.totalLimit)
        }
        let declared = calls.structs.map { found in
            let fields = found.fields.map { field -> JSONValue in
                ["Name": .string(field.name), "DataType": .string(names.name(of: field.type))]
            }
            return JSONValue.object(["Name": .string(found.name), "Elements": .array(fields)])
        }
        calls.enums = names.enums
        guard calls.enums.count <= DeclaredCalls.limit,
            calls.enums.allSatisfy({ $0.values.count <= DeclaredCalls.limit })
        else { throw .tooMany("enums or values of one", limit: DeclaredCalls.limit) }
        let enums = calls.enums.map { found -> JSONValue in
            ["Name": .string(found.name), "Values": .array(found.values.map { ["Name": .string($0)] })]
        }
        calls.rodl = [
            "Version": "4.0", "Services": .array(services), "Structs": .array(declared), "Enums": .array(enums),
            "Arrays": .array(names.arrays),
        ]
    }

    /// Adds a struct that is left to add, after its ancestors.
    private mutating func add(_ key: String, _ left: inout Set<String>) {
        guard left.remove(key) != nil, let found = structs[key] else { return }
        let ancestor = found.ancestor.flatMap { structs[$0.lowercased()]?.name }
        if let ancestor { add(ancestor.lowercased(), &left) }
        calls.structs.append(.init(name: found.name, ancestor: ancestor, fields: found.fields))
    }
}

extension DeclaredCalls.Struct {
    /// The structs of its fields, and its ancestor, in lower case.
    fileprivate var uses: [String] {
        (fields.compactMap(\.type.structName) + [ancestor].compactMap(\.self)).map { $0.lowercased() }
    }
}

extension RemotingType {
    /// The name of the struct that the value is, or that its elements are; nil for other types.
    fileprivate var structName: String? {
        switch self {
        case .structure(let name): name
        case .array(let element): element.structName
        default: nil
        }
    }
}

/// The names of types in a RODL. Types of the file have lost theirs, except structs.
private struct TypeNames {
    private let declared: [[String]: DeclaredCalls.Enum]
    private var taken: Set<String>
    private var arrayNames: [RemotingType: String] = [:]
    private(set) var arrays: [JSONValue] = []
    private var usedEnums: Set<String> = []
    /// The enums that were named.
    private(set) var enums: [DeclaredCalls.Enum] = []

    init(_ file: RODLFile) {
        var declared: [[String]: DeclaredCalls.Enum] = [:]
        for (name, type) in ServiceCatalog.types {
            if case .enumeration(let values) = type { declared[values] = .init(name: name, values: values) }
        }
        for found in file.declarations.enums.values.sorted(by: { $0.name > $1.name }) {
            declared[found.values] = .init(name: found.name, values: found.values)
        }
        self.declared = declared
        taken = Set(file.declarations.structs.keys).union(file.declarations.enums.keys)
    }

    mutating func name(of type: RemotingType) -> String {
        switch type {
        case .enumeration(let values):
            guard let found = declared[values] else { return RODLTypes.name(of: .integer) }
            if usedEnums.insert(found.name.lowercased()).inserted { enums.append(found) }
            return found.name
        case .array(let element):
            if let name = arrayNames[type] { return name }
            let part = self.name(of: element)
            let base = "\(part)Array"
            var name = base
            var number = 1
            while !taken.insert(name.lowercased()).inserted {
                number += 1
                name = "\(base)\(number)"
            }
            arrayNames[type] = name
            arrays.append(["Name": .string(name), "DataType": .string(part)])
            return name
        default: return RODLTypes.name(of: type)
        }
    }
}
