// SPDX-License-Identifier: Apache-2.0

import Credentials
import LocalAPI
import Platform

extension VaultRecord {
    init(_ status: VaultStatus) {
        self.init(
            state: State(status.state),
            path: status.path,
            generation: status.generation.map { Int64(clamping: $0) },
            slots: status.slots.map { slot in
                SlotRecord(kind: "\(slot.kind)", label: slot.label, strength: slot.strength)
            },
            memory: status.memory?.rawValue,
            logins: status.loginCount.map { Int64($0) },
            locksInSeconds: status.locksIn.map { $0.components.seconds },
            problem: status.fault.map { "\($0)" }
        )
    }
}

extension VaultRecord.State {
    init(_ state: VaultState) {
        self =
            switch state {
            case .absent: .absent
            case .sealed: .sealed
            case .unlocked: .unlocked
            case .locked: .locked
            }
    }
}
