// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file
// Made by varlink-generate from org.relativityd.Registry.varlink. Change that file, then run `make generate`.

import LocalAPI
import Varlink
import VarlinkService

/// Carries out the methods of `org.relativityd.Registry`.
protocol RegistryAPIServer: VarlinkInterface {
    /// All endpoints, by name. revision counts the changes that were told since the daemon started: where more changes come
    /// than watchers are told in a second (100), endpoints may be ahead of it for a while. Right after its start the daemon
    /// answers when discovery has said what it knew at first, after 1.5 seconds at the latest.
    func list(_ call: TypedCall<RegistryAPI.ListCall>) async throws

    /// One endpoint by id or by a name that only one has.
    func get(_ call: TypedCall<RegistryAPI.GetCall>) async throws

    /// The identity of an endpoint as it is now. For https this connects to it, as far as the TLS handshake. trust chooses
    /// between its key and a certificate authority's word for its host; without it the administrator does, then what the
    /// endpoint is pinned to, and else it is the key.
    func getIdentity(_ call: TypedCall<RegistryAPI.GetIdentityCall>) async throws

    /// Connects to an endpoint now, for https as far as the TLS handshake, and tells whether it is there. Nothing is sent over
    /// plain HTTP, and never a login. A second attempt follows one that fails: it may take four seconds.
    func probe(_ call: TypedCall<RegistryAPI.ProbeCall>) async throws

    /// Called with "more": first, as kind tells, one snapshot with all endpoints as watchers were told of them so far, then
    /// each change in order. A change of an endpoint that comes while an older one of it waits to be told takes its place.
    /// revision grows by one with each change that is told; without endpoint the watch has all of them. A reader that is too
    /// slow gets the error WatcherTooSlow and is closed. With endpoint, snapshot and changes are of that one alone, which
    /// counts as in use meanwhile: it is probed more often, if it is probed at all. since is the last revision that the
    /// caller has heard: if the daemon still knows the changes since then, "resumed" takes the place of the snapshot, and
    /// they follow; else there is a snapshot, as without since. Revisions are higher after each start of the daemon.
    func watch(_ call: TypedCall<RegistryAPI.WatchCall>) async throws

    /// Adds a server by hand. address is a host, host:port or full URL; what is missing is completed to
    /// http://HOST:7099/bin. name is what the server shall be called here.
    func add(_ call: TypedCall<RegistryAPI.AddCall>) async throws

    /// Adds the server of a .relativityClient file, given as text. name is what it shall be called here; else it is called as in
    /// the file. Where the file has no address but the name of an announced server, that must be announced now: it is added
    /// with its present address. adminUser and dataUser are the names of users that the file has, for which logins may be
    /// made. content is the text of the file.
    func `import`(_ call: TypedCall<RegistryAPI.ImportCall>) async throws

    /// The text of a .relativityClient file for an endpoint. It has no user and no password. That text is content.
    func export(_ call: TypedCall<RegistryAPI.ExportCall>) async throws

    /// Forgets that it was added or was used once, and what was set. While its server announces itself it stays as
    /// discovered.
    func remove(_ call: TypedCall<RegistryAPI.RemoveCall>) async throws

    /// Sets what differs from Relativity's usual ways; probe off keeps the daemon from probing it by itself, hidden marks it
    /// for programs that show lists to people. readOnly refuses calls that may change something, through adapters and grants;
    /// grantsOnly refuses adapters; sessionExport permits Broker.OpenSession. confirm has the user agree, in a prompt, to each
    /// adapter, grant, session and capture before it is made; without an answer within 30 seconds it is refused.
    /// acceptUnknownOwner sends logins to a server of this machine even if the kernel does not tell which user's process it is,
    /// as in a user namespace; a process that is known to be another user's gets none. Absent members stay as they are. scheme
    /// and path are those of its url, dataService and loginService the names of its services.
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
