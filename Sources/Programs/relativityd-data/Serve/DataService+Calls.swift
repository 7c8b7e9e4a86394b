// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import JSON
import LocalAPI
import Platform
import Remoting
import VarlinkService

/// Calls of services, and commands.
extension DataService {
    /// The paths and the status codes of HTTP.
    static let face: HTTPFace = {
        var face = HTTPFace(status: { DataFailure.httpStatus(of: $0) })
        face.pathMembers = [DataAPI.CallCall.method: ["service", "method"]]
        return face
    }()

    func call(_ call: TypedCall<DataAPI.CallCall>) async throws {
        let parameters = call.parameters
        let given = parameters.parameters ?? [:]
        try await connected(to: parameters.server, call.untyped) { connection in
            let adapter = connection.reader.adapter
            let signature: CallSignature
            do {
                signature = try await CallSignature(
                    of: parameters.method,
                    parameters.service,
                    given.map(\.key),
                    rodl: parameters.rodl,
                    adapter
                )
            } catch let unknown as CallSignature.Unknown {
                throw DataError.badCall(message: unknown.reason)
            }
            let (method, structs) = (signature.method, signature.structs)
            let values = try method.parameters.map { declared in
                let member = given.first { NameMatch.isSimilar($0.key, declared.name) }
                guard let json = member?.value, let value = try? RemotingValue(json, as: declared.type, structs) else {
                    let message = "the value of \(Printable(declared.name)) does not have its type"
                    throw DataError.badCall(message: message)
                }
                return value
            }
            let results = try await adapter.call(method, values, service: parameters.service, structs: structs)
            var members = JSONObject()
            for (declared, value) in zip(method.results, results) {
                let shown = value.exact(numbersAsText: parameters.numbersAsText ?? false)
                members[declared.name] = shown.json(as: declared.type, structs)
            }
            call.reply(.init(results: members))
        }
    }

    func runCommand(_ call: TypedCall<DataAPI.RunCommandCall>) async throws {
        let parameters = call.parameters
        let values = try (parameters.parameters ?? []).map { try DataParameter($0) }
        try await connected(to: parameters.server, call.untyped) { connection in
            let result = try await connection.reader.adapter.execute(command: parameters.command, parameters: values)
            let outputs = result.outputs.map { DataAPI.Parameter($0) }
            call.reply(.init(affected: Int64(result.rowCount), parameters: outputs))
        }
    }
}

extension RemotingValue {
    /// The value with texts where a message in JSON would lose something: a DateTime with its milliseconds, also if it is no
    /// certain time.
    ///
    /// - Parameter numbersAsText: whether Int64 is text too.
    fileprivate func exact(numbersAsText: Bool) -> RemotingValue {
        switch self {
        case .int64(let value) where numbersAsText: .utf8String(value.description)
        case .dateTime(let time): .utf8String(time.description)
        case .variant(let variant): .variant(variant.exact(numbersAsText: numbersAsText))
        case .array(let elements?): .array(elements.map { $0.exact(numbersAsText: numbersAsText) })
        case .structure(let value):
            .structure(
                RemotingStruct(
                    value.className,
                    value.fields.map { NamedValue($0.name, $0.value.exact(numbersAsText: numbersAsText)) }
                )
            )
        default: self
        }
    }
}

extension RemotingVariant {
    fileprivate func exact(numbersAsText: Bool) -> RemotingVariant {
        switch self {
        case .int64(let value) where numbersAsText: .utf8String(value.description)
        case .dateTime(let time): .utf8String(time.description)
        case .array(let code, let low, let elements):
            .array(code: code, low: low, elements.map { $0.exact(numbersAsText: numbersAsText) })
        default: self
        }
    }
}
