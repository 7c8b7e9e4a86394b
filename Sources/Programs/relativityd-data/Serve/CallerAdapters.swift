// SPDX-License-Identifier: Apache-2.0

import EventLoops
import LocalAPI
import NIOCore
import Platform
import Varlink
import VarlinkService

/// The adapters of all connections. Each connection has its own, one for each server and login, until it closes.
actor CallerAdapters {
    struct Limits {
        var ofConnection = 4
        /// Below the number of connections that the daemon permits to one process.
        var total = 24
    }

    private let socket: String
    private let limits: Limits
    private let loop: any EventLoop
    /// By connection; then by server and login, with the service and the prompts left out.
    private var adapters: [UInt64: [DataAPI.Server: HeldAdapter]] = [:]
    private var opening = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter socket: the path of the daemon's second socket.
    init(socket: String, limits: Limits = Limits(), on loop: any EventLoop) {
        self.socket = socket
        self.limits = limits
        self.loop = loop
    }

    /// Returns the adapter of the connection for a server and a login. Opens it if there is none, or if the daemon has
    /// closed it.
    ///
    /// - Throws: the errors of `HeldAdapter.open`; `DataError.tooManyAdapters`; `PermissionDenied` if the caller has
    ///   exited; `CancellationError`.
    func adapter(for server: DataAPI.Server, of call: VarlinkCall) async throws -> HeldAdapter {
        var key = server
        key.anonymous = server.anonymous ?? false
        (key.service, key.schema, key.interactive) = (nil, nil, nil)
        if let known = adapters[call.connection]?[key] {
            if known.isOpen { return known }
            known.close()
            adapters[call.connection]?[key] = nil
        }
        let total = adapters.values.reduce(opening) { $0 + $1.count }
        for (count, limit) in [
            (adapters[call.connection]?.count ?? 0, limits.ofConnection), (total, limits.total),
        ] where count >= limit {
            throw DataError.tooManyAdapters(message: "too many adapters: the limit is \(limit)", limit: Int64(limit))
        }
        guard let caller = ProcessIdentity(running: call.peer.pid) else { throw VarlinkError.permissionDenied }
        opening += 1
        defer { opening -= 1 }
        let adapter = try await HeldAdapter.open(
            AdaptersAPI.OpenCall(
                caller: AdaptersAPI.Caller(pid: Int64(caller.pid), startTime: Int64(clamping: caller.startTime)),
                endpoint: server.endpoint,
                login: server.login,
                preferredLogin: server.preferredLogin,
                anonymous: server.anonymous,
                interactive: server.interactive
            ),
            at: socket,
            on: loop
        )
        // The connection has closed meanwhile, and `close` was called.
        guard !Task.isCancelled else {
            adapter.close()
            throw CancellationError()
        }
        adapters[call.connection, default: [:]][key] = adapter
        return adapter
    }

    /// Closes the adapters of a connection that has closed. Call on the loop.
    nonisolated func connectionClosed(_ connection: UInt64) { loop.reenter(self) { $0.close(connection) } }

    private func close(_ connection: UInt64) {
        for adapter in (adapters.removeValue(forKey: connection) ?? [:]).values { adapter.close() }
    }
}
