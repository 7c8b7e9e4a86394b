// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataAccess
import Endpoints
import JSON
import LocalAPI
import Varlink

extension JobRunner {
    /// The notes on methods that are left out.
    private static let mostNotes = 10
    /// The name of the job that writes a description for tools of HTTP.
    private static let openAPI = "openapi"

    /// Shows the services of the job's file, or of its server, or writes code for them.
    func showServices() async throws {
        let description = try await serviceDescription()
        guard let form = job.name else { return show(try description.services()) }
        let calls = try description.calls()
        for omission in calls.omitted.prefix(Self.mostNotes) {
            let name = "\(Printable(omission.service)).\(Printable(omission.method))"
            text.note("\(name) is left out: \(Printable("\(omission.reason)"))")
        }
        let more = calls.omitted.count - Self.mostNotes
        if more > 0 { text.note("\(Counted(more, "more method")) left out") }
        guard !calls.services.isEmpty else {
            throw DataFailure(.notFound, "the description has no methods but those of Data Abstract")
        }
        guard form != Self.openAPI else {
            let path = "/call/\(DataAPI.CallCall.method)"
            let document = ServiceOpenAPI(calls, path: path, server: try Self.serverSchema()).document
            return text.write(file: document.text + "\n", as: "document")
        }
        guard let code = CodeLanguage(rawValue: form).flatMap({ ServiceCode.code(for: calls, in: $0) }) else {
            throw DataFailure(.usage, "no such language")
        }
        if ServiceCode.rodl(of: calls) == nil {
            text.note("the description is too long for a call, so the server's own is used")
        }
        text.write(file: code, as: "code")
    }

    private func serviceDescription() async throws -> RODLFile {
        guard let rodl = job.rodl else { return try await adapter().services() }
        do {
            return try RODLFile(parsing: rodl)
        } catch {
            throw DataFailure(.usage, "--rodl \(Printable(job.rodlPath ?? "-")): \(Printable("\(error)"))")
        }
    }

    private func show(_ services: [DescribedService]) {
        guard !text.isDocument else {
            return text.write(["services": .array(services.map { .object($0.details) })])
        }
        guard !services.isEmpty else { return text.note("the server describes no services") }
        for (number, service) in services.enumerated() {
            if number > 0 { text.write(line: "") }
            let ancestor = service.ancestor.map { " (\(Printable($0)))" } ?? ""
            text.write(line: "\(Printable(service.name))\(ancestor)")
            guard !service.methods.isEmpty else { continue }
            text.write(
                ["METHOD", "PARAMETERS", "RESULT"],
                service.methods.map { method in
                    let parameters = method.parameters.map { "\($0.direction) \($0.name): \($0.type)" }
                    return [method.name, parameters.joined(separator: ", "), method.result ?? ""]
                }
            )
        }
    }

    /// The JSON schema of the type `Server` of the interface, whose members are optional texts and Booleans.
    private static func serverSchema() throws -> JSONObject {
        let types = try VarlinkDescription(parsing: DataAPI.definition).types
        guard let declared = types.first(where: { $0.name == "Server" }), case .struct(let fields) = declared.type
        else {
            throw DataFailure(.failed, "the interface has no type Server")
        }
        let properties = fields.map { field -> (String, JSONValue) in
            let type = field.type == .maybe(.bool) ? "boolean" : "string"
            return (field.name, ["type": .string(type), "description": .string(field.documentation)])
        }
        return [
            "type": "object", "description": .string(declared.documentation),
            "properties": .object(JSONObject(properties)),
        ]
    }
}

extension DescribedService {
    fileprivate var details: JSONObject {
        var details: JSONObject = ["name": .string(name)]
        details["ancestor"] = ancestor.map { .string($0) }
        details["methods"] = .array(methods.map { .object($0.details) })
        return details
    }
}

extension DescribedService.Method {
    fileprivate var details: JSONObject {
        var details: JSONObject = [
            "name": .string(name), "declaredBy": .string(origin),
            "parameters": .array(
                parameters.map {
                    ["name": .string($0.name), "type": .string($0.type), "direction": .string($0.direction)]
                }
            ),
        ]
        details["result"] = result.map { .string($0) }
        return details
    }
}
