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

    /// What is wrong with the list, the vault, its memory and the audit log.
    private func notes(_ vault: VaultStatus) async -> [ManagerAPI.Note] {
        var notes: [ManagerAPI.Note] = []
        if let reason = await services.registry.unsavedReason {
            notes.append(ManagerAPI.Note(code: .listNotSaved, detail: reason))
        }
        if let fault = vault.fault { notes.append(ManagerAPI.Note(code: .vaultUnusable, detail: "\(fault)")) }
        if let suspicion = vault.anchor?.verdict.suspicion {
            notes.append(ManagerAPI.Note(code: .vaultSuspected, detail: "\(suspicion)"))
        }
        if let shortfall = vault.memoryShortfall, shortfall.isSwappable {
            notes.append(ManagerAPI.Note(code: .secretsSwappable, detail: shortfall.reasons))
        }
        if let losses = services.store.audit?.losses {
            if losses.events > 0 { notes.append(ManagerAPI.Note(code: .auditEventsLost, count: Int64(losses.events))) }
            if let failure = losses.failure {
                notes.append(ManagerAPI.Note(code: .auditNotWritten, detail: "\(failure)"))
            }
        }
        return notes
    }

    private var status: ManagerAPI.Status {
        get async {
            let vault = await services.store.status
            let counters = await services.registry.counters
            let notes = await facts.notes() + notes(vault)
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
        var fault: ManagerAPI.SourceFault?
        if case .down(let reason) = status.state { fault = ManagerAPI.SourceFault(reason) }
        self.init(
            name: status.name.text,
            state: status.state == .up ? .up : .down,
            fault: fault,
            settled: status.isSettled,
            upSeconds: status.upFor?.components.seconds,
            heardSecondsAgo: status.heardAgo?.components.seconds
        )
    }
}
