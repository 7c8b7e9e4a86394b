// SPDX-License-Identifier: Apache-2.0

import Broker
import Endpoints
import JSON
import LocalAPI
import Registry
import Varlink
import VarlinkService

/// `org.relativityd.Broker`.
struct BrokerInterface: VarlinkInterface {
    private static let ttl = Int64(60)...43_200

    let name = "org.relativityd.Broker"
    let description = InterfaceText.broker
    let registry: EndpointRegistry
    let broker: ConnectionBroker
    let opening: InteractiveOpening

    private var grants: GrantMethods { GrantMethods(broker: broker, opening: opening) }

    func call(_ call: VarlinkCall) async throws {
        try await APIError.translating {
            switch call.method {
            case "Open": try await open(call)
            case "OpenSession": try await openSession(call)
            case "List": await list(call)
            case "Close": try await close(call)
            case "Watch": try await watch(call)
            case "AddGrant": try await grants.add(call)
            case "ListGrants": await grants.list(call)
            case "RevokeGrant": try await grants.revoke(call)
            case "Capture": try await capture(call)
            default: throw VarlinkError.methodNotImplemented(call.method)
            }
        }
    }

    private func open(_ call: VarlinkCall) async throws {
        let adapter = try await openAdapter(call)
        let reply: JSONObject = ["adapter": .object(AdapterRecord(adapter).json)]
        guard adapter.lifetime == .held else {
            call.reply(reply)
            return
        }
        let end: AdapterEnd
        do {
            try await call.reply(continuing: reply)
            end = try await broker.waitForEnd(of: adapter.id)
        } catch {
            // The caller has gone, and with it the lease.
            try? await broker.close(adapter.id, because: .holderGone)
            throw error
        }
        // The caller asked to keep it: an end that it did not cause is told as an error.
        let code: APIErrorCode = end == .vaultLocked ? .vaultLocked : .adapterNotFound
        let place = adapter.target?.endpoint.text ?? "ENDPOINT"
        let hint = end == .vaultLocked ? "relctl vault unlock" : "relctl adapter open \(place)"
        throw APIError(code, "\(end)", hint: hint)
    }

    private func openAdapter(_ call: VarlinkCall) async throws -> Adapter {
        let order = try order(call)
        let find = { try await endpoint(call, login: order.isAnonymous ? nil : order.login) }
        var outline: LoginOutline?
        if try call.parameters.optionalBool("interactive") ?? false {
            outline = LoginOutline(
                user: try call.parameters.optionalString("user"),
                domain: try call.parameters.optionalString("domain"),
                schema: try call.parameters.optionalString("schema")
            )
        }
        do {
            return try await opening.open(order, outline, at: find)
        } catch let error as BrokerError {
            throw APIError(error, at: try? await find().id)
        }
    }

    /// The one that is named, else the one of the login.
    private func endpoint(_ call: VarlinkCall, login: String?) async throws -> Endpoint {
        if let reference = try call.parameters.optionalString("endpoint") { return try await registry.find(reference) }
        guard let login else { throw VarlinkError.invalidParameter("endpoint") }
        return try await broker.endpoint(ofLogin: login)
    }

    private func order(_ call: VarlinkCall) throws -> AdapterOrder {
        var order = AdapterOrder()
        order.login = try call.parameters.optionalString("login")
        order.isAnonymous = try call.parameters.optionalBool("anonymous") ?? false
        order.hasOwnSession = try call.parameters.optionalBool("ownSession") ?? false
        order.lifetime = try lifetime(call)
        if let word = try call.parameters.optionalString("form") {
            guard let form = AdapterForm(rawValue: word), form != .session else {
                throw VarlinkError.invalidParameter("form")
            }
            order.form = form
        }
        return order
    }

    private func openSession(_ call: VarlinkCall) async throws {
        let name = try call.parameters.optionalString("login")
        let seconds = try call.parameters.optionalInteger("ttlSeconds") ?? 900
        guard Self.ttl.contains(seconds) else { throw VarlinkError.invalidParameter("ttlSeconds") }
        let endpoint = try await endpoint(call, login: name)
        let (login, isAgreed) = try await opening.agreed(to: "a session of its own", at: { endpoint }) { isAgreed in
            (try await broker.checkExport(at: endpoint, login: name, isAgreed: isAgreed), isAgreed)
        }
        let chosen = try await call.upgraded(maximumBytes: ChosenClientID.byteCount) { ChosenClientID($0) }
        guard let chosen else { throw VarlinkError.invalidParameter("secret") }
        let adapter = try await broker.openSession(
            at: endpoint,
            login: login,
            clientID: chosen,
            lifetime: .seconds(seconds),
            isAgreed: isAgreed
        )
        call.reply(["adapter": .object(AdapterRecord(adapter).json)])
    }

    private func lifetime(_ call: VarlinkCall) throws -> AdapterLifetime {
        let seconds = try call.parameters.optionalInteger("ttlSeconds")
        if call.wantsMore { return .held }
        guard let seconds else { return .atMost(.seconds(Self.ttl.upperBound)) }
        guard Self.ttl.contains(seconds) else { throw VarlinkError.invalidParameter("ttlSeconds") }
        return .atMost(.seconds(seconds))
    }

    private func list(_ call: VarlinkCall) async {
        let adapters = await broker.openAdapters.map { JSONValue.object(AdapterRecord($0).json) }
        call.reply(["adapters": .array(adapters)])
    }

    private func watch(_ call: VarlinkCall) async throws {
        guard call.wantsMore else { throw VarlinkError.expectedMore }
        let (adapters, news) = try await broker.watch()
        let open = adapters.map { JSONValue.object(AdapterRecord($0).json) }
        try await call.reply(continuing: ["kind": "snapshot", "adapters": .array(open)])
        for await news in news { try await call.reply(continuing: Self.json(news)) }
        try Task.checkCancellation()
        throw APIError(.watcherTooSlow, "the watch has fallen behind, or the daemon is stopping", hint: "watch again")
    }

    private static func json(_ news: AdapterNews) -> JSONObject {
        switch news {
        case .opened(let adapter): ["kind": "opened", "adapter": .object(AdapterRecord(adapter).json)]
        case .ended(let adapter, let reason):
            [
                "kind": "ended", "adapter": .object(AdapterRecord(adapter).json), "reason": .string(reason.rawValue),
                "message": .string("\(reason)"),
            ]
        }
    }

    private func close(_ call: VarlinkCall) async throws {
        try await broker.close(try call.parameters.string("adapter"))
        call.reply()
    }
}
