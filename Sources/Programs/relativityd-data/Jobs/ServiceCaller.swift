// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import DataJobs
import Endpoints
import JSON
import NIOCore
import Remoting

/// Calls methods over the socket of an adapter, which replaces the ClientID by that of its session.
struct ServiceCaller: Sendable {
    private let channel: RemotingChannel
    private let timeout: Duration
    private let limits = WireLimits.standard

    init(_ adapter: JobAdapter, timeout: Duration, on loop: any EventLoop) throws {
        let target = try RemotingTarget(
            address: try SocketAddress(unixDomainSocketPath: adapter.socket),
            hostHeader: "localhost",
            security: .plain
        )
        var settings = ChannelSettings.standard
        settings.pause = timeout
        channel = try RemotingChannel(target: target, loop: loop, settings: settings)
        self.timeout = timeout
    }

    /// Sends a message and collects the reply, as long as bytes arrive.
    func reply(to message: ByteBuffer) async throws -> ByteBuffer {
        let arriving = try await channel.begin(message, as: nil, deadline: timeout)
        return try await arriving.collect(atMost: limits.message, before: .now() + .hours(24))
    }
}

extension JobRunner {
    /// Calls the method of the job and prints its results.
    func call() async throws {
        let name = job.name ?? ""
        let dot = name.lastIndex(of: ".") ?? name.startIndex
        let (service, method) = (String(name[..<dot]), String(name[dot...].dropFirst()))
        let signature = try CallSignature(of: method, job.rows.parameters)
        let caller = try ServiceCaller(job.adapters[0], timeout: timeout, on: loop)
        var request = RequestMessage.writer(clientID: ClientID(), service: service, method: signature.name)
        for value in try signature.values(of: job.rows.parameters) { request.write(value) }
        var reader = try ReplyMessage.values(of: try await caller.reply(to: request.buffer))
        var results = JSONObject()
        for result in signature.results {
            let value = try reader.readValue(result.type, ServiceCatalog.structs)
            results[result.name] = value.json(as: result.type, ServiceCatalog.structs)
        }
        show(results)
    }

    private func show(_ results: JSONObject) {
        guard job.output.format != .document else {
            return JobText(job.output).write(["results": .object(results)])
        }
        for (name, value) in results {
            let text = value.stringValue ?? String(decoding: value.serialized(), as: UTF8.self)
            // A single result is what a script wants.
            JobText(job.output).write(line: results.count == 1 ? text : "\(name)\t\(text)")
        }
    }
}

/// The parameters and the results of a method, from its declaration or from the types that the user gave.
struct CallSignature {
    let name: String
    let results: [NamedType]
    private let parameters: [NamedType]

    init(of method: String, _ given: [JobParameter]) throws {
        let names = given.map { $0.name.lowercased() }
        let known = ServiceCatalog.signatures(of: method)
        // Several services may have methods of the same name.
        let fitting = known.first { $0.parameters.map { $0.name.lowercased() }.sorted() == names.sorted() }
        if let signature = fitting {
            (name, parameters, results) = (signature.name, signature.parameters, signature.results)
            return
        }
        guard known.isEmpty else {
            let names = known[0].parameters.map(\.name).joined(separator: ", ")
            throw JobFailure(
                .usage,
                "\(known[0].name) has \(names.isEmpty ? "no parameters" : "the parameters \(names)"), and all are required"
            )
        }
        name = method
        results = []
        parameters = try given.map { parameter in
            guard let type = parameter.type.flatMap({ ValueType.parameters($0)?.first?.type }) else {
                throw JobFailure(
                    .usage,
                    "\(Printable(method)) is not known: give the type of \(Printable(parameter.name)) as NAME:TYPE=VALUE"
                )
            }
            return NamedType(parameter.name, type)
        }
    }

    /// The values of the parameters, in the order of the declaration.
    func values(of given: [JobParameter]) throws -> [RemotingValue] {
        try parameters.map { declared in
            guard let text = given.first(where: { $0.name.lowercased() == declared.name.lowercased() })?.text,
                let value = TypedText(text).value(as: declared.type)
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
    func value(as type: RemotingType) -> RemotingValue? {
        json(as: type).flatMap { try? RemotingValue($0, as: type, ServiceCatalog.structs) }
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
