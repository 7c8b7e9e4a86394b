// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import JSON
import LocalAPI
import Registry
import Varlink
import VarlinkService

/// `org.relativityd.Registry`.
struct RegistryInterface: VarlinkInterface {
    let name = "org.relativityd.Registry"
    let description = InterfaceText.registry
    let registry: EndpointRegistry
    let broker: ConnectionBroker
    let liveness: LivenessMonitor
    let trust: AdministratorsTrust
    let replies: EndpointReplies

    func call(_ call: VarlinkCall) async throws {
        try await APIError.translating {
            switch call.method {
            case "List": await list(call)
            case "Get": try await get(call)
            case "GetIdentity": try await getIdentity(call)
            case "Probe": try await probe(call)
            case "Watch": try await watch(call)
            case "Add": try await add(call)
            case "Import": try await RelativityClientMethods(registry: registry).importFile(call)
            case "Export": try await RelativityClientMethods(registry: registry).exportFile(call)
            case "Remove": try await remove(call)
            case "Set": try await set(call)
            default: throw VarlinkError.methodNotImplemented(call.method)
            }
        }
    }

    /// Right after the start the list would be empty for no reason that a caller could see.
    private static let settlingPatience = Duration.milliseconds(1_500)

    private func list(_ call: VarlinkCall) async {
        await registry.waitUntilSettled(atMost: Self.settlingPatience)
        call.reply(await replies.list())
    }

    private func get(_ call: VarlinkCall) async throws {
        call.reply(["endpoint": Self.json(try await registry.find(try call.parameters.string("endpoint")))])
    }

    private func getIdentity(_ call: VarlinkCall) async throws {
        let trust = try ServerTrust(call.parameters)
        let endpoint = try await registry.find(try call.parameters.string("endpoint"))
        let identity = try IdentityRecord(
            await APIError.naming(endpoint.id) { try await broker.identity(of: endpoint, by: trust) }
        )
        call.reply(["identity": .object(identity.json)])
    }

    private func probe(_ call: VarlinkCall) async throws {
        let endpoint = try await registry.find(try call.parameters.string("endpoint"))
        let report = ProbeRecord(try await liveness.probe(now: endpoint))
        call.reply(["probe": .object(report.json)])
    }

    private func watch(_ call: VarlinkCall) async throws {
        guard call.wantsMore else { throw VarlinkError.expectedMore }
        let reference = try call.parameters.optionalString("endpoint")
        let endpoint = if let reference { try await registry.find(reference).id } else { EndpointID?.none }
        for try await update in try await registry.watch(endpoint, since: try Self.since(call.parameters)) {
            try await call.reply(continuing: replies.reply(to: update))
        }
    }

    private static func since(_ parameters: JSONObject) throws -> UInt64? {
        guard let revision = try parameters.optionalInteger("since") else { return nil }
        guard let revision = UInt64(exactly: revision) else { throw VarlinkError.invalidParameter("since") }
        return revision
    }

    private func add(_ call: VarlinkCall) async throws {
        let url = try ServerURL(completing: try call.parameters.string("address"))
        let endpoint = try await registry.add(name: try call.parameters.string("name"), url: url)
        call.reply(["endpoint": Self.json(endpoint)])
    }

    private func remove(_ call: VarlinkCall) async throws {
        let endpoint = try await registry.find(try call.parameters.string("endpoint"))
        if endpoint.origin == .configured, let file = trust[endpoint.id]?.file {
            throw APIError(
                .endpointNotManual,
                "'\(Printable(endpoint.name))' was laid down by the administrator, in \(Printable(file))",
                hint: "it goes when that file goes; 'relctl status' tells what is read"
            )
        }
        try await registry.remove(endpoint.id)
        call.reply()
    }

    private func set(_ call: VarlinkCall) async throws {
        let endpoint = try await registry.find(try call.parameters.string("endpoint"))
        let settings = try EndpointSettings(call.parameters)
        call.reply(["endpoint": Self.json(try await registry.set(endpoint.id, settings))])
    }

    private static func json(_ endpoint: Endpoint) -> JSONValue { .object(EndpointRecord(endpoint).json) }
}

extension EndpointSettings {
    /// - Throws: `APIError` naming the first value that makes no sense.
    fileprivate init(_ parameters: JSONObject) throws {
        self.init(
            scheme: try parameters.optionalString("scheme").map { text in
                guard let scheme = ServerURL.Scheme(rawValue: text) else { throw ServerURLError.badScheme(text) }
                return scheme
            },
            path: try parameters.optionalString("path").map { try ServerURL.checkedPath($0) },
            dataService: try Self.serviceName(try parameters.optionalString("dataService")),
            loginService: try Self.serviceName(try parameters.optionalString("loginService")),
            probe: try parameters.optionalString("probe").map { text in
                guard let mode = ProbeMode(rawValue: text) else {
                    throw APIError(.invalidEndpoint, "probe is on or off, not '\(Printable(text))'")
                }
                return mode
            },
            isHidden: try parameters.optionalBool("hidden"),
            isReadOnly: try parameters.optionalBool("readOnly"),
            isForGrantsOnly: try parameters.optionalBool("grantsOnly"),
            allowsSessionExport: try parameters.optionalBool("sessionExport"),
            isConfirmed: try parameters.optionalBool("confirm"),
            acceptsUnknownOwner: try parameters.optionalBool("acceptUnknownOwner")
        )
        guard !isEmpty else { throw APIError(.invalidEndpoint, "nothing to set was given") }
    }

    private static func serviceName(_ name: String?) throws(APIError) -> String? {
        guard let name else { return nil }
        guard ServiceNames.isValid(name) else {
            throw APIError(.invalidEndpoint, "'\(Printable(name))' is no service name: use letters, digits, _ and .")
        }
        return name
    }
}
