// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataJobs
import Endpoints
import JSON
import NIOCore
import Remoting

extension JobRunner {
    /// Calls the method of the job and prints its results.
    func call() async throws {
        let name = job.name ?? ""
        let dot = name.lastIndex(of: ".") ?? name.startIndex
        let (service, method) = (String(name[..<dot]), String(name[dot...].dropFirst()))
        let signature = try CallSignature(of: method, service, job.rows.parameters, rodl: job.rodl)
        let values = try signature.values(of: job.rows.parameters)
        let structs = signature.structs
        let results = try await adapter().call(signature.method, values, service: service, structs: structs)
        var shown = JSONObject()
        for (declared, value) in zip(signature.method.results, results) {
            shown[declared.name] = value.json(as: declared.type, structs)
        }
        text.write(results: shown, as: "results")
    }
}

/// The method of a call, from its declaration or from the types that the user gave.
struct CallSignature {
    let method: MethodSignature
    private(set) var structs = ServiceCatalog.structs

    /// - Throws: `JobFailure` for other parameters than those declared, for an unknown method without types, and for a
    ///   RODL file that does not declare the method.
    init(of method: String, _ service: String, _ given: [JobParameter], rodl: String?) throws {
        let names = given.map { $0.name.lowercased() }.sorted()
        var known = ServiceCatalog.signatures(of: method)
        if let rodl {
            let file = try RODLFile(parsing: rodl)
            guard let declared = try file.signature(of: method, service: service) else {
                throw JobFailure(.usage, "--rodl: no method \(Printable(method)) of \(Printable(service))")
            }
            (known, structs) = ([declared], file.structs)
        }
        // Several services may have methods of the same name.
        if let fitting = known.first(where: { $0.parameters.map { $0.name.lowercased() }.sorted() == names }) {
            self.method = fitting
            return
        }
        if let first = known.first {
            let names = first.parameters.map(\.name).joined(separator: ", ")
            let parameters = names.isEmpty ? "no parameters" : "the parameters \(names)"
            throw JobFailure(.usage, "\(first.name) has \(parameters), and all are required")
        }
        let parameters = try given.map { parameter in
            guard let type = parameter.type.flatMap({ ValueType.parameters($0)?.first?.type }) else {
                let names = (Printable(method), Printable(parameter.name))
                throw JobFailure(.usage, "\(names.0) is not known: give the type of \(names.1) as NAME:TYPE=VALUE")
            }
            return NamedType(parameter.name, type)
        }
        self.method = MethodSignature(method, parameters)
    }

    /// The values of the parameters, in the order of the declaration.
    ///
    /// - Throws: `JobFailure` for a text that does not have the type.
    func values(of given: [JobParameter]) throws -> [RemotingValue] {
        try method.parameters.map { declared in
            guard let text = given.first(where: { $0.name.lowercased() == declared.name.lowercased() })?.text,
                let value = TypedText(text).value(as: declared.type, structs)
            else { throw JobFailure(.usage, "the value of \(Printable(declared.name)) does not have its type") }
            return value
        }
    }
}

/// A value as typed in a shell.
struct TypedText {
    private static let limits = JSONLimits(depth: 16, bytes: 8 << 20, values: 1 << 16)

    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The value; nil if the text does not have the type. A struct is written as JSON, an array as JSON or as its elements
    /// with commas between them.
    func value(as type: RemotingType, _ structs: StructCatalog) -> RemotingValue? {
        json(as: type).flatMap { try? RemotingValue($0, as: type, structs) }
    }

    private func json(as type: RemotingType) -> JSONValue? {
        switch type {
        case .integer, .int64, .double, .boolean, .structure: parsed
        case .variant: parsed?.objectValue == nil ? parsed ?? .string(text) : .string(text)
        case .enumeration: parsed?.integerValue == nil ? .string(text) : parsed
        case .dateTime, .currency, .decimal, .guid, .ansiString, .utf8String, .wideString, .xml, .binary:
            .string(text)
        case .array(let element):
            if text.hasPrefix("[") { parsed } else { elements(element) }
        }
    }

    private func elements(_ type: RemotingType) -> JSONValue? {
        guard !text.isEmpty else { return .array([]) }
        let elements = text.split(separator: ",", omittingEmptySubsequences: false).map {
            TypedText(String($0)).json(as: type)
        }
        return elements.contains(nil) ? nil : .array(elements.compactMap(\.self))
    }

    private var parsed: JSONValue? { try? JSONValue(parsing: Array(text.utf8), limits: Self.limits) }
}

extension JobParameter {
    /// The value of a parameter of a query or a command. Without a type it is an integer, a number, a Boolean or NULL if the
    /// text looks like one, otherwise text.
    ///
    /// - Throws: `JobFailure` for a text that does not have the type.
    func dataParameter() throws -> DataParameter {
        guard let value = type.map({ value(as: $0.lowercased()) }) ?? derived else {
            throw JobFailure(.usage, "the value of \(Printable(name)) is no \(Printable(type ?? "value"))")
        }
        return DataParameter(name, value)
    }

    private var derived: DataValue {
        if let value = Int64(text), text.first != "+" { return .integer(value) }
        if let value = Double(text), value.isFinite, text.first?.isNumber == true || text.first == "-" {
            return .float(value)
        }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default: return .text(text)
        }
    }

    private func value(as name: String) -> DataValue? {
        let type: DataType? =
            switch name {
            case "integer", "int64": .largeInt
            case "float", "double": .float
            case "boolean": .boolean
            case "decimal": .decimal
            case "currency": .currency
            case "datetime", "date": .dateTime
            case "text", "string": .wideString
            default: nil
            }
        return type.flatMap { DataValue(text, as: $0) }
    }
}
