// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import Glibc
import JSON
import LocalAPI
import NIOCore
import Platform
import Registry
import Varlink
import VarlinkService

/// `org.relativityd.Manager`.
struct ManagerInterface: VarlinkInterface {
    let name = "org.relativityd.Manager"
    let description = InterfaceText.manager
    let services: LocalServices
    let facts: DaemonFacts

    func call(_ call: VarlinkCall) async throws {
        try await APIError.translating {
            switch call.method {
            case "GetStatus": call.reply(["status": .object(await status.json)])
            default: throw VarlinkError.methodNotImplemented(call.method)
            }
        }
    }

    private var status: StatusRecord {
        get async {
            let vault = await services.store.status
            let shortfall = vault.memoryShortfall.flatMap { $0.isSwappable ? "\($0)" : nil }
            let notes = facts.notes() + [vault.fault.map { "\($0)" }, shortfall].compactMap { $0 }
            return StatusRecord(
                version: ProjectVersion.text,
                pid: Int64(getpid()),
                uptimeSeconds: (NIODeadline.now() - facts.started).nanoseconds / 1_000_000_000,
                sources: [SourceRecord(await services.registry.sourceStatus)],
                multicastInterfaces: facts.multicastInterfaces(),
                endpoints: Int64(await services.registry.endpointCount),
                droppedSightings: Int64(clamping: await services.registry.droppedSightings),
                refusedAddresses: Int64(facts.refusedAddresses()),
                vault: VaultRecord.State(vault.state),
                logins: vault.loginCount.map { Int64($0) },
                sessions: Int64(await services.broker.sessionCount),
                adapters: Int64(await services.broker.openAdapters.count),
                notes: notes
            )
        }
    }
}

extension SourceRecord {
    fileprivate init(_ status: RegistrySourceStatus) {
        var reason: String?
        if case .down(let text) = status.state { reason = text }
        self.init(
            name: "avahi",
            state: status.state == .up ? .up : .down,
            reason: reason,
            settled: status.isSettled,
            upSeconds: status.upFor?.components.seconds,
            heardSecondsAgo: status.heardAgo?.components.seconds
        )
    }
}
