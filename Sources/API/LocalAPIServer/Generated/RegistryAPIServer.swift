// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Registry.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Registry`.
protocol RegistryAPIServer: VarlinkInterface {
    /// Returns all endpoints, sorted by name. During the first 1.5 seconds after the daemon's start the reply waits for the
    /// first reports of the sources. revision is the number of changes that were sent to watchers since the daemon started.
    /// Changes beyond 100 in a second are queued, so endpoints may be ahead of revision for a while.
    func list(_ call: TypedCall<RegistryAPI.ListCall>) async throws

    /// Returns one endpoint.
    func get(_ call: TypedCall<RegistryAPI.GetCall>) async throws

    /// Reads the current identity of an endpoint. For https it connects to the server, up to the TLS handshake. trust chooses
    /// between the server's key and its host name, verified by a certificate authority. The default is the administrator's
    /// choice, then that of the current pin, then the key. alternate is the URL of another address of the server: the identity
    /// is the one that is shown there.
    func getIdentity(_ call: TypedCall<RegistryAPI.GetIdentityCall>) async throws

    /// Connects to an endpoint now, for https up to the TLS handshake. Nothing is sent over plain HTTP, and never a login. A
    /// failed attempt is repeated once, so the call may take four seconds.
    func probe(_ call: TypedCall<RegistryAPI.ProbeCall>) async throws

    /// Streams the list and its changes. Call with "more".
    ///
    /// The first reply has kind "snapshot" and all endpoints, as last sent to watchers. Each later reply has one change: its
    /// kind and the endpoint. revision increases by one with each change that is sent, and is higher after a restart of the
    /// daemon.
    ///
    /// endpoint limits the stream to one endpoint. That counts as use, so it is probed more often if it is probed at all.
    /// since is the last revision that the client has received. If the daemon still has the later changes, the first reply
    /// has kind "resumed" and no endpoints, and those changes follow. Otherwise it is a snapshot.
    ///
    /// A waiting change is replaced by a newer one of the same endpoint. A client that is too slow gets the error
    /// WatcherTooSlow, and the connection is closed.
    func watch(_ call: TypedCall<RegistryAPI.WatchCall>) async throws

    /// Adds a server. name is its name in the list. address is a host, host:port or a URL; missing parts are taken from
    /// http://HOST:7099/bin.
    func add(_ call: TypedCall<RegistryAPI.AddCall>) async throws

    /// Adds the server of a .relativityClient file.
    func `import`(_ call: TypedCall<RegistryAPI.ImportCall>) async throws

    /// Makes a .relativityClient file for an endpoint, without user and password. content is the text of the file.
    func export(_ call: TypedCall<RegistryAPI.ExportCall>) async throws

    /// Removes an endpoint that the user added, and the record of its use and settings. A server that announces itself stays
    /// in the list as discovered.
    func remove(_ call: TypedCall<RegistryAPI.RemoveCall>) async throws

    /// Changes the settings of an endpoint. An absent parameter leaves its setting unchanged.
    func set(_ call: TypedCall<RegistryAPI.SetCall>) async throws
}

extension RegistryAPIServer {
    var name: String { RegistryAPI.name }

    var description: String { RegistryAPI.definition }

    func call(_ call: VarlinkCall) async throws {
        switch call.method {
        case "List": try await self.list(try TypedCall(call))
        case "Get": try await self.get(try TypedCall(call))
        case "GetIdentity": try await self.getIdentity(try TypedCall(call))
        case "Probe": try await self.probe(try TypedCall(call))
        case "Watch": try await self.watch(try TypedCall(call))
        case "Add": try await self.add(try TypedCall(call))
        case "Import": try await self.`import`(try TypedCall(call))
        case "Export": try await self.export(try TypedCall(call))
        case "Remove": try await self.remove(try TypedCall(call))
        case "Set": try await self.set(try TypedCall(call))
        default: throw VarlinkError.methodNotImplemented(call.method)
        }
    }
}
