// SPDX-License-Identifier: Apache-2.0

package import Credentials
package import LocalAPI
import Platform

extension CredentialsAPI.Vault {
    init(_ status: VaultStatus) {
        self.init(
            state: State(status.state),
            path: status.path,
            generation: status.generation.map { Int64(clamping: $0) },
            format: status.format,
            slots: status.slots.map(CredentialsAPI.Slot.init),
            weakestSlot: status.weakestSlot,
            anchor: status.anchor.map(CredentialsAPI.Anchor.init),
            memory: status.memory?.rawValue,
            memoryNote: status.memoryShortfall.map { "\($0)" },
            logins: status.loginCount.map { Int64($0) },
            locksInSeconds: status.locksIn.map { $0.components.seconds },
            problem: status.fault.map { "\($0)" },
            error: status.fault.map { DaemonError($0).code.rawValue }
        )
    }
}

extension CredentialsAPI.Slot {
    /// Also what `relativityd --verify-vault --json` prints.
    package init(_ slot: VaultStatus.Slot) {
        self.init(
            id: slot.id,
            kind: "\(slot.kind)",
            label: slot.label,
            strength: slot.strength,
            scryptLog2N: slot.log2N.map { Int64($0) },
            created: Int64(clamping: slot.created)
        )
    }
}
