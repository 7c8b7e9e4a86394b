// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Broker.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Broker`.
protocol BrokerAPIServer: VarlinkInterface {
    /// Opens an adapter, logging in where that is needed. Called with "more" the adapter is held: it lives as long as the
    /// caller stays. login is the name of a login; without it the only login of the endpoint is used. endpoint may be left out
    /// where login is given. anonymous opens without any login, for servers that ask for none. form is "socket" (meant where
    /// it is left out) or "loopback". ownSession logs in anew, for this adapter alone; only then polls for events are taken.
    /// ttlSeconds (60 to 43200) bounds an adapter that is not held; it also ends after 900 seconds without use.
    /// interactive lets the user be asked, through a pinentry or systemd's password agents, for what is missing: the passphrase
    /// of the vault, a login where the endpoint has none (whose server is shown and has to be agreed to), another password where
    /// the server refuses one. Each is asked for three times at most, what was refused is not sent again, and what is accepted
    /// is stored. user, domain and schema are of a login that is made so: without user it is asked for, without the others it
    /// has those that are usual for the endpoint. The call waits its turn for up to 90 seconds, and its questions take up to 90.
    /// Where nobody answers, the error is the one that the call has without interactive, with the reason in its message.
    func open(_ call: TypedCall<BrokerAPI.OpenCall>) async throws

    /// Makes a session for a caller who talks to the server by himself; off, unless Registry.Set has allowed it for the endpoint.
    /// Called with "upgrade": the caller makes the ClientID, 16 random bytes in the order of the wire, and sends it as a secret.
    /// So no reply has to hold one. adapter has the form "session", and as url the server's own. The session ends as an adapter
    /// does, and after ttlSeconds (60 to 43200; 900 where it is left out), used or not. It is in the audit log before it is
    /// made. endpoint and login are chosen as in Open.
    func openSession(_ call: TypedCall<BrokerAPI.OpenSessionCall>) async throws

    /// All open adapters, oldest first.
    func list(_ call: TypedCall<BrokerAPI.ListCall>) async throws

    /// Ends an adapter by its id, and the connections to it.
    func close(_ call: TypedCall<BrokerAPI.CloseCall>) async throws

    /// Tells which adapters come and go. Call with "more". First kind is "snapshot", with the adapters that are open; then
    /// "opened" and "ended", with adapter, and for an end with reason ("closed", "holderGone", "expired", "vaultLocked",
    /// "loginForgotten", "stopping") and message, the same as a sentence.
    func watch(_ call: TypedCall<BrokerAPI.WatchCall>) async throws

    /// Makes a grant. Without services it is for the endpoint's data service; without methods, where it is readOnly, for those
    /// that read. ttlSeconds is 60 to 86400; 28800 where it is left out. The vault must be unlocked now, unless the login is the
    /// administrator's. While it is locked, calls are answered by an exception; the grant stays. It ends with its time, with the
    /// daemon, and when its login is changed or removed. It is in the audit log before the reply.
    func addGrant(_ call: TypedCall<BrokerAPI.AddGrantCall>) async throws

    /// All grants, oldest first.
    func listGrants(_ call: TypedCall<BrokerAPI.ListGrantsCall>) async throws

    /// Removes a grant's socket and closes the connections to it. It is in the audit log before the reply.
    func revokeGrant(_ call: TypedCall<BrokerAPI.RevokeGrantCall>) async throws

    /// Makes the calls of a report on a server: with login, or with the only login of the endpoint, or with anonymous without
    /// one. wrongPassword sends a wrong password once as well. No secret is in the reply. Takes a minute at most.
    func capture(_ call: TypedCall<BrokerAPI.CaptureCall>) async throws
}

extension BrokerAPIServer {
    var name: String { BrokerAPI.name }

    var description: String { BrokerAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "Open": try await self.open(try TypedCall(call))
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
