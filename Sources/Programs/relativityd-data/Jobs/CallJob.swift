// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Endpoints
import JSON
import LocalAPI
import NIOCore
import Platform
import Remoting

extension JobRunner {
    /// Calls the method of the job and prints its results.
    func call() async throws {
        let name = job.name ?? ""
        let dot = name.lastIndex(of: ".") ?? name.startIndex
        let (service, method) = (String(name[..<dot]), String(name[dot...].dropFirst()))
        let adapter = try adapter()
        let signature = try await signature(of: method, service, adapter)
        let values = try signature.values(of: job.rows.parameters)
        let structs = signature.structs
        let results = try await sending(ServiceCatalog.repeatable.contains(signature.method)) {
            try await adapter.call(signature.method, values, service: service, structs: structs)
        }
        var shown = JSONObject()
        for (declared, value) in zip(signature.method.results, results) {
            shown[declared.name] = value.json(as: declared.type, structs)
        }
        text.write(results: shown, as: "results")
    }

    /// Makes a call.
    ///
    /// - Parameter isReading: whether it changes nothing.
    /// - Throws: `ApplyFailure.unknownOutcome` if the server may have changed something, and no reply came.
    func sending<Result>(_ isReading: Bool, _ call: () async throws -> Result) async throws -> Result {
        do {
            return try await call()
        } catch let error where !isReading {
            switch error {
            case DataAdapterError.interrupted, DataAdapterError.timedOut, DataAdapterError.closed, is CancellationError,
                DataAdapterError.exception:
                guard case .unknownOutcome(let reason) = AdapterChangeServer.failure(error) else { throw error }
                throw ApplyFailure.unknownOutcome(reason)
            default: throw error
            }
        }
    }

    /// The method of the job, at last with the types that the user gave.
    private func signature(
        of method: String,
        _ service: String,
        _ adapter: RemoteDataAdapter
    ) async throws -> CallSignature {
        let given = job.rows.parameters
        do {
            return try await CallSignature(of: method, service, given.map(\.name), rodl: job.rodl, adapter)
        } catch let unknown as CallSignature.Unknown where job.rodl == nil {
            let signature = try CallSignature(of: method, typed: given, unknown.reason)
            text.note("the results are not shown, because their types are not known: \(unknown.reason)")
            return signature
        } catch let unknown as CallSignature.Unknown {
            throw DataFailure(.usage, "--rodl \(Printable(job.rodlPath ?? "-")): \(unknown.reason)")
        }
    }
}

extension CallSignature {
    /// - Parameter reason: why the method is not known.
    /// - Throws: `DataFailure` for a parameter without a type.
    init(of method: String, typed given: [JobParameter], _ reason: String) throws {
        let parameters = try given.map { parameter in
            guard let type = parameter.type.flatMap({ ValueType.parameters($0)?.first?.type }) else {
                let names = (Printable(method), Printable(parameter.name))
                throw DataFailure(
                    .usage,
                    "\(names.0) is not known, \(reason): give the type of \(names.1) as NAME:TYPE=VALUE, or use --rodl"
                )
            }
            return NamedType(parameter.name, type)
        }
        self.init(MethodSignature(method, parameters))
    }

    /// The values of the parameters, in the order of the declaration.
    ///
    /// - Throws: `DataFailure` for a text that does not have the type.
    func values(of given: [JobParameter]) throws -> [RemotingValue] {
        try method.parameters.map { declared in
            guard let text = given.first(where: { NameMatch.isSimilar($0.name, declared.name) })?.text,
                let value = TypedText(text).value(as: declared.type, structs)
            else { throw DataFailure(.usage, "the value of \(Printable(declared.name)) does not have its type") }
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
    /// text is the usual form of one, otherwise text.
    ///
    /// - Throws: `DataFailure` for an unknown type, and for a text that does not have the type.
    func dataParameter() throws -> DataParameter {
        guard let given = type else { return DataParameter(name, derived) }
        guard let type = Self.dataType(given.lowercased()) else {
            throw DataFailure(.usage, "\(Printable(given)), the type of \(Printable(name)), is not known")
        }
        guard let value = DataValue(text, as: type) else {
            throw DataFailure(.usage, "the value of \(Printable(name)) is no \(Printable(given))")
        }
        return DataParameter(name, value)
    }

    private var derived: DataValue {
        if let value = Int64(text), "\(value)" == text { return .integer(value) }
        if hasUsualDigits, let value = Double(decimal: text) { return .float(value) }
        switch text {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default: return .text(text)
        }
    }

    /// Whether a number has a fraction, at most 15 digits and no zeros before it. Others may be codes.
    private var hasUsualDigits: Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard let point = digits.firstIndex(of: "."), point > digits.startIndex, digits.count <= 16 else {
            return false
        }
        return digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == ".") } && digits.last != "."
            && (digits.first != "0" || digits[..<point] == "0")
    }

    private static func dataType(_ name: String) -> DataType? {
        switch name {
        case "integer", "int64": .largeInt
        case "double": .float
        case "date": .dateTime
        case "text", "string": .wideString
        default: DataType.allCases.first { $0 != .unknown && $0.shortName.lowercased() == name }
        }
    }
}
