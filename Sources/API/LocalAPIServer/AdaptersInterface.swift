// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import Glibc
import LocalAPI
import Platform
import Registry
import Varlink
import VarlinkService

/// The interface `org.relativityd.Adapters`, the only one on the daemon's second socket.
struct AdaptersInterface: AdaptersAPIServer {
    let registry: EndpointRegistry
    let broker: ConnectionBroker
    let opening: InteractiveOpening

    func open(_ call: TypedCall<AdaptersAPI.OpenCall>) async throws {
        guard call.untyped.wantsMore else { throw VarlinkError.expectedMore }
        let caller = try Self.caller(call.parameters.caller, claimedBy: call.untyped.peer.pid)
        try await AuditPeer.$caller.withValue(caller) { try await hold(call) }
    }

    /// Checks the claim as far as the kernel permits.
    private static func caller(
        _ claimed: AdaptersAPI.Caller,
        claimedBy pid: Int32
    ) throws(VarlinkError) -> CallingProcess {
        guard let claimedPID = Int32(exactly: claimed.pid), claimedPID > 0,
            let startTime = UInt64(exactly: claimed.startTime),
            ProcessIdentity(pid: claimedPID, startTime: startTime).isRunning(as: geteuid())
        else { throw .invalidParameter("caller") }
        return CallingProcess(pid: claimedPID, claimedBy: pid)
    }

    private func hold(_ call: TypedCall<AdaptersAPI.OpenCall>) async throws {
        let parameters = call.parameters
        let use = NamedUse(
            parameters.endpoint,
            login: parameters.login,
            preferred: parameters.preferredLogin,
            isAnonymous: parameters.anonymous ?? false
        )
        guard use.place != nil || !use.isAnonymous else { throw VarlinkError.invalidParameter("endpoint") }
        let adapter = try await DaemonError.naming(try? await broker.place(of: use).id) {
            try await opening.open(AdapterRequest(use), parameters.interactive == true ? LoginDefaults() : nil)
        }
        try await broker.holding(adapter) { try await call.reply(continuing: reply(adapter)) }
    }

    private func reply(_ adapter: Adapter) async throws -> AdaptersAPI.OpenReply {
        guard case .socket(let path) = adapter.address, let target = adapter.target else { throw BrokerError.closed }
        let endpoint = try await registry.find(target.endpoint.text)
        return AdaptersAPI.OpenReply(
            adapter: adapter.id,
            socketPath: path,
            endpoint: target.endpoint.text,
            endpointName: target.endpointName,
            dataService: target.services.data,
            readOnly: endpoint.constraints.isReadOnly,
            otherDatabase: adapter.isOtherDatabase,
            codePage: endpoint.codePage,
            login: adapter.login
        )
    }
}

extension ConnectionBroker {
    /// Reports an open adapter to its holder, and keeps it open until the holder disconnects.
    ///
    /// - Parameter report: sends the reply with the adapter.
    /// - Throws: the reason why the adapter was closed, or the error of `report`.
    nonisolated func holding(_ adapter: Adapter, _ report: () async throws -> Void) async throws {
        let end: AdapterCloseReason
        do {
            try await report()
            end = try await waitForEnd(of: adapter.id)
        } catch {
            // The caller has no reply or has disconnected, so the lease ends.
            try? await close(adapter.id, because: .holderGone)
            throw error
        }
        // The caller asked to keep the adapter, so closing it for another reason is an error.
        guard end != .vaultLocked else { throw DaemonError.vaultLocked(message: "\(end)") }
        throw DaemonError.adapterClosed(message: "\(end)", endpoint: adapter.target?.endpoint.text)
    }
}
