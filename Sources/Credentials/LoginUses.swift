// SPDX-License-Identifier: Apache-2.0

/// Days on which logins were used, which the next save takes along.
struct LoginUses: Sendable {
    private var days: [LoginID: UInt32] = [:]

    /// - Parameter now: seconds since 1970.
    mutating func note(_ id: LoginID, at now: UInt64) { days[id] = UInt32(clamping: now / 86_400) }

    func apply(to payload: inout VaultPayload) {
        for index in payload.entries.indices {
            guard let day = days[payload.entries[index].id] else { continue }
            payload.entries[index].lastUsedDay = max(day, payload.entries[index].lastUsedDay)
        }
    }

    /// Forgets what was saved, unless it is a later day by now.
    mutating func remove(_ saved: LoginUses) {
        for (id, day) in saved.days where days[id] == day { days[id] = nil }
    }

    mutating func removeAll() { days = [:] }
}
