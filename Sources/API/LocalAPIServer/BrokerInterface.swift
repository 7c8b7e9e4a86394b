// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Registry
import Varlink
import VarlinkService

/// The interface `org.relativityd.Broker`, except its grants.
struct BrokerInterface: BrokerAPIServer {
    private static let ttl = Int64(60)...43_200

    let registry: EndpointRegistry
    let broker: ConnectionBroker
    let opening: InteractiveOpening

    func open(_ call: TypedCall<BrokerAPI.OpenCall>) async throws {
        guard let client = call.parameters.client else { return try await hold(call) }
        guard (1...64).contains(client.utf8.count), client.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw VarlinkError.invalidParameter("client")
        }
        var caller = AuditPeer.caller
        caller?.client = client
        try await AuditPeer.$caller.withValue(caller) { try await hold(call) }
    }

    private func hold(_ call: TypedCall<BrokerAPI.OpenCall>) async throws {
        let adapter = try await openAdapter(call)
        let reply = BrokerAPI.OpenReply(adapter: BrokerAPI.Adapter(adapter))
        guard adapter.lifetime == .held else {
            call.reply(reply)
            return
        }
        try await broker.holding(adapter) { try await call.reply(continuing: reply) }
    }

    private func openAdapter(_ call: TypedCall<BrokerAPI.OpenCall>) async throws -> Adapter {
        let parameters = call.parameters
        let request = try request(call)
        let defaults =
            parameters.interactive == true
            ? LoginDefaults(user: parameters.user, domain: parameters.domain, schema: parameters.schema) : nil
        return try await DaemonError.naming(try? await broker.place(of: request.use).id) {
            try await opening.open(request, defaults)
        }
    }

    private func request(_ call: TypedCall<BrokerAPI.OpenCall>) throws -> AdapterRequest {
        let parameters = call.parameters
        let use = NamedUse(
            parameters.endpoint,
            login: parameters.login,
            preferred: parameters.preferredLogin,
            isAnonymous: parameters.anonymous ?? false
        )
        guard use.place != nil || !use.isAnonymous else { throw VarlinkError.invalidParameter("endpoint") }
        var request = AdapterRequest(use)
        request.hasOwnSession = parameters.ownSession ?? false
        request.lifetime = try lifetime(call)
        if let word = parameters.form {
            guard let form = AdapterForm(rawValue: word) else { throw VarlinkError.invalidParameter("form") }
            request.form = form
        }
        return request
    }

    private func lifetime(_ call: TypedCall<BrokerAPI.OpenCall>) throws -> AdapterLifetime {
        if call.untyped.wantsMore { return .held }
        let seconds = call.parameters.ttlSeconds ?? Self.ttl.upperBound
        guard Self.ttl.contains(seconds) else { throw VarlinkError.invalidParameter("ttlSeconds") }
        return .atMost(.seconds(seconds))
    }

    func choose(_ call: TypedCall<BrokerAPI.ChooseCall>) async throws {
        let parameters = call.parameters
        let chosen = try await broker.choose(
            NamedUse(parameters.endpoint, login: parameters.login, preferred: parameters.preferredLogin)
        )
        guard let login = chosen.login, let chooser = chosen.chooser else { throw BrokerError.noLogin }
        call.reply(
            .init(
                endpoint: chosen.endpoint.id.text,
                endpointName: chosen.endpoint.name,
                login: login.name,
                chosenBy: chooser
            )
        )
    }

    func openSession(_ call: TypedCall<BrokerAPI.OpenSessionCall>) async throws {
        throw DaemonError.sessionsStay
    }

    func list(_ call: TypedCall<BrokerAPI.ListCall>) async throws {
        call.reply(.init(adapters: await broker.openAdapters.map { BrokerAPI.Adapter($0) }))
    }

    func close(_ call: TypedCall<BrokerAPI.CloseCall>) async throws {
        try await broker.close(call.parameters.adapter)
        call.reply(.init())
    }

    func watch(_ call: TypedCall<BrokerAPI.WatchCall>) async throws {
        guard call.untyped.wantsMore else { throw VarlinkError.expectedMore }
        let (adapters, events) = try await broker.watch()
        try await call.reply(continuing: .init(kind: .snapshot, adapters: adapters.map { BrokerAPI.Adapter($0) }))
        for await event in events { try await call.reply(continuing: BrokerAPI.WatchReply(event)) }
        try Task.checkCancellation()
        throw DaemonError.watcherTooSlow(message: "the watcher read too slowly", stream: .adapters)
    }

    func capture(_ call: TypedCall<BrokerAPI.CaptureCall>) async throws {
        let parameters = call.parameters
        let isAnonymous = parameters.anonymous ?? false
        let triesWrongPassword = parameters.wrongPassword ?? false
        guard !isAnonymous || !triesWrongPassword else { throw VarlinkError.invalidParameter("wrongPassword") }
        let use = NamedUse(
            parameters.endpoint,
            login: parameters.login,
            preferred: parameters.preferredLogin,
            isAnonymous: isAnonymous
        )
        let exchanges = try await DaemonError.naming(try? await broker.place(of: use).id) {
            try await opening.agreed(
                to: "a report on the server",
                showing: { try await broker.shown(use) },
                { agreed in
                    try await broker.capture(use, triesWrongPassword: triesWrongPassword, agreed: agreed)
                }
            )
        }
        call.reply(.init(exchanges: exchanges.map { BrokerAPI.Exchange($0) }))
    }
}

extension BrokerAPI.WatchReply {
    fileprivate init(_ event: AdapterEvent) {
        switch event {
        case .opened(let adapter): self.init(kind: .opened, adapter: BrokerAPI.Adapter(adapter))
        case .ended(let adapter, let reason):
            // Both have the same values: a test compares them.
            self.init(kind: .ended, adapter: BrokerAPI.Adapter(adapter), reason: reason)
        }
    }
}

extension BrokerInterface {
    func addGrant(_ call: TypedCall<BrokerAPI.AddGrantCall>) async throws {
        let parameters = call.parameters
        let use = NamedUse(parameters.endpoint, login: parameters.login, preferred: parameters.preferredLogin)
        var request = GrantRequest(use)
        request.services = parameters.services ?? []
        request.methods = parameters.methods ?? []
        request.isReadOnly = parameters.readOnly ?? false
        if let seconds = parameters.ttlSeconds {
            guard GrantRequest.times.contains(.seconds(seconds)) else {
                throw VarlinkError.invalidParameter("ttlSeconds")
            }
            request.time = .seconds(seconds)
        }
        let grant = try await DaemonError.naming(try? await broker.place(of: use).id) {
            try await opening.agreed(
                to: "a grant for \(Counted(request.time.components.seconds / 60, "minute"))",
                showing: { try await broker.shown(use) },
                { agreed in
                    request.agreed = agreed
                    return try await broker.grant(request)
                }
            )
        }
        call.reply(.init(grant: BrokerAPI.Grant(grant), chosenBy: grant.chooser))
    }

    func listGrants(_ call: TypedCall<BrokerAPI.ListGrantsCall>) async throws {
        call.reply(.init(grants: await broker.grants.map { BrokerAPI.Grant($0) }))
    }

    func revokeGrant(_ call: TypedCall<BrokerAPI.RevokeGrantCall>) async throws {
        try await broker.revoke(call.parameters.grant)
        call.reply(.init())
    }
}

extension DaemonError {
    /// The answer to a call that asks for an exported session.
    static let sessionsStay = sessionExportOff(message: "sessions are not exported: open a loopback adapter")
}
