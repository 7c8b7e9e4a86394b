// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import Glibc
import LocalAPI
import NIOCore
import Platform
import Registry
import VarlinkService

/// `org.relativityd.Manager`.
struct ManagerInterface: ManagerAPIServer {
    let services: LocalServices
    let facts: DaemonFacts
    let usage: APIUsage

    /// The words are explained in the interface's description.
    private static let capabilities = ["http", "metrics", "watch-since", "interactive", "confirm"]

    func getStatus(_ call: TypedCall<ManagerAPI.GetStatusCall>) async throws {
        call.reply(.init(status: await status))
    }

    func getCapabilities(_ call: TypedCall<ManagerAPI.GetCapabilitiesCall>) async throws {
        call.reply(.init(version: ProjectVersion.text, capabilities: Self.capabilities))
    }

    func getMetrics(_ call: TypedCall<ManagerAPI.GetMetricsCall>) async throws {
        call.reply(.init(metrics: await metrics))
    }

    /// That something could not be told in the audit log.
    private var auditNote: String? {
        guard let losses = services.store.audit?.losses, losses.events > 0 || losses.failure != nil else { return nil }
        let reason = losses.failure.map { "; it cannot be written: \($0)" } ?? ""
        return "\(Counted(losses.events, "event")) missing in the audit log\(reason)"
    }

    private var status: ManagerAPI.Status {
        get async {
            let vault = await services.store.status
            let counters = await services.registry.counters
            let problems = [vault.fault, vault.anchor?.verdict.suspicion].compactMap { $0.map { "\($0)" } }
            let shortfall = vault.memoryShortfall.flatMap { $0.isSwappable ? "\($0)" : nil }
            let told = await facts.notes() + services.registry.notes
            let notes = told + problems + [shortfall, auditNote].compactMap { $0 }
            return ManagerAPI.Status(
                version: ProjectVersion.text,
                pid: Int64(getpid()),
                uptimeSeconds: (NIODeadline.now() - facts.started).nanoseconds / 1_000_000_000,
                sources: await services.registry.sourceStatus.map { ManagerAPI.Source($0) },
                multicastInterfaces: facts.multicastInterfaces(),
                endpoints: Int64(await services.registry.endpointCount),
                droppedSightings: Int64(clamping: counters.dropped),
                malformedSightings: Int64(clamping: counters.malformed),
                cutSightings: Int64(clamping: counters.cut),
                evictedEndpoints: Int64(clamping: counters.evicted),
                foldedChanges: Int64(clamping: counters.folded),
                refusedAddresses: Int64(facts.refusedAddresses()),
                vault: ManagerAPI.Status.Vault(vault.state),
                logins: vault.loginCount.map { Int64($0) },
                sessions: Int64(await services.broker.sessionCount),
                adapters: Int64(await services.broker.openAdapters.count),
                notes: notes
            )
        }
    }
}

extension ManagerAPI.Source {
    fileprivate init(_ status: RegistrySourceStatus) {
        var reason: String?
        if case .down(let text) = status.state { reason = text }
        self.init(
            name: status.name.text,
            state: status.state == .up ? .up : .down,
            reason: reason,
            settled: status.isSettled,
            upSeconds: status.upFor?.components.seconds,
            heardSecondsAgo: status.heardAgo?.components.seconds
        )
    }
}
