// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import Glibc
import Logging
import NIOCore
import Platform

/// Adapters that stand while the daemon runs, and log in when they are used.
extension ConnectionBroker {
    /// Opens the adapters of the configuration. No server is contacted.
    ///
    /// - Returns: the names of those that could not be opened, each with a reason that is safe to show.
    package func open(_ standing: [StandingAdapter]) async -> [(name: String, reason: String)] {
        var problems: [(name: String, reason: String)] = []
        for adapter in standing {
            do {
                try await open(adapter)
            } catch {
                problems.append((adapter.name, "\(error)"))
                logger.warning("adapter not opened", metadata: ["adapter": "\(adapter.name)", "error": "\(error)"])
            }
        }
        return problems
    }

    private func open(_ standing: StandingAdapter) async throws {
        try beginOpening()
        defer { opening -= 1 }
        guard adapters[standing.name] == nil else { throw BrokerError.adapterSocket(reason: "the name is taken") }
        let listener = try await listener(at: try await place(of: standing), adapter: standing.name)
        guard !isStopping else {
            listener.close()
            throw BrokerError.closed
        }
        let adapter = Adapter(
            id: standing.name,
            address: listener.address,
            login: standing.login,
            target: nil,
            lifetime: .standing,
            hasOwnSession: false,
            peer: nil,
            created: Int64(time(nil))
        )
        adapters[standing.name] = OpenAdapter(adapter, listener: listener, seat: nil, loop: connector.loop)
        tell(.opened(adapter))
        logger.info("adapter opened", metadata: ["adapter": "\(standing.name)"])
    }

    private func place(of standing: StandingAdapter) async throws -> AdapterListener.Place {
        switch standing.place {
        case .socket: return .socket(path: "\(directory)/\(standing.name).sock")
        case .loopback(let port, let path?): return .loopback(port: port, path: path)
        case .loopback(let port, nil):
            let kept = try await paths?.path(of: standing.name)
            return .loopback(port: port, path: try kept ?? LoopbackGate.makePath())
        }
    }

    /// The session that a call through an adapter goes to. A standing one takes it now where it has none.
    func takeSeat(of id: String) async throws -> Seat {
        guard let open = adapters[id] else { throw BrokerError.closed }
        if let seat = open.seat { return seat }
        let login = try await login(of: open)
        let endpoint = try await endpoint(of: login)
        // Another call may have done the same meanwhile, or the adapter ended.
        guard let now = adapters[id], !isStopping else { throw BrokerError.closed }
        if let seat = now.seat { return seat }
        // Nobody can be asked about each login of an adapter that stands.
        if open.adapter.lifetime.isStanding { try check(.use, of: endpoint, isAgreed: false) }
        let seat = try takeSeat(at: endpoint, login: login)
        adapters[id]?.seat = seat
        adapters[id]?.adapter.target = seat.target
        use(endpoint.id)
        store.audit?.note(
            AuditEntry(.adapterOpened, endpoint: endpoint.id, login: login.id, strength: login.pin.strength, peer: nil)
        )
        scheduleEnd(of: id)
        return seat
    }
}
