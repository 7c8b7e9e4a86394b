// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Broker.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Broker`.
protocol BrokerAPIServer: VarlinkInterface {
    /// Opens an adapter, and logs in if necessary. If it is called with "more", the adapter is held: it stays open as long as
    /// the caller is connected. If a prompt fails, the error is the one that the call has without interactive.
    func open(_ call: TypedCall<BrokerAPI.OpenCall>) async throws

    /// Returns the endpoint and the login that Open would use. Nothing is opened, and no server is contacted.
    func choose(_ call: TypedCall<BrokerAPI.ChooseCall>) async throws

    /// Answers SessionExportOff: no session leaves the daemon. Open with form loopback serves programs that cannot use a Unix
    /// socket.
    func openSession(_ call: TypedCall<BrokerAPI.OpenSessionCall>) async throws

    /// Returns all open adapters, oldest first.
    func list(_ call: TypedCall<BrokerAPI.ListCall>) async throws

    /// Closes an adapter and the connections to it. adapter is its ID.
    func close(_ call: TypedCall<BrokerAPI.CloseCall>) async throws

    /// Streams adapters as they are opened and closed. Call with "more".
    func watch(_ call: TypedCall<BrokerAPI.WatchCall>) async throws

    /// Makes a grant. The vault must be unlocked, unless the administrator configured the login. While the vault is locked,
    /// calls of the grant fail with an exception. The grant expires after its lifetime, with the daemon, and when its login
    /// is changed or removed. It is recorded in the audit log before the reply.
    func addGrant(_ call: TypedCall<BrokerAPI.AddGrantCall>) async throws

    /// Returns all grants, oldest first.
    func listGrants(_ call: TypedCall<BrokerAPI.ListGrantsCall>) async throws

    /// Removes the socket of a grant and closes the connections to it. grant is its ID. The change is recorded in the audit
    /// log before the reply.
    func revokeGrant(_ call: TypedCall<BrokerAPI.RevokeGrantCall>) async throws

    /// Makes the calls of a report on a server. No secret is in the reply. The call takes at most a minute.
    func capture(_ call: TypedCall<BrokerAPI.CaptureCall>) async throws
}

extension BrokerAPIServer {
    var name: String { BrokerAPI.name }

    var description: String { BrokerAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Open": try await self.open(try TypedCall(call))
        case "Choose": try await self.choose(try TypedCall(call))
        case "OpenSession": try await self.openSession(try TypedCall(call))
        case "List": try await self.list(try TypedCall(call))
        case "Close": try await self.close(try TypedCall(call))
        case "Watch": try await self.watch(try TypedCall(call))
        case "AddGrant": try await self.addGrant(try TypedCall(call))
        case "ListGrants": try await self.listGrants(try TypedCall(call))
        case "RevokeGrant": try await self.revokeGrant(try TypedCall(call))
        case "Capture": try await self.capture(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
