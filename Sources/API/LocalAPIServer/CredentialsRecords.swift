// SPDX-License-Identifier: Apache-2.0

import Broker
package import Credentials
import Endpoints
package import LocalAPI
import Platform

extension CredentialsAPI.Vault {
    init(_ status: VaultStatus) {
        self.init(
            state: State(twin: status.state),
            path: status.path,
            generation: status.generation.map { Int64(clamping: $0) },
            format: status.format,
            slots: status.slots.map(CredentialsAPI.Slot.init),
            weakestSlot: status.weakestSlot,
            anchor: status.anchor.map(CredentialsAPI.Anchor.init),
            memory: status.memory?.rawValue,
            memoryRefusals: status.memoryShortfall.map { CredentialsAPI.MemoryRefusal.all(in: $0) } ?? [],
            logins: status.loginCount.map { Int64($0) },
            locksInSeconds: status.locksIn.map { $0.components.seconds },
            problem: status.fault.map { "\($0)" },
            error: status.fault.map { DaemonError($0).code.rawValue }
        )
    }
}

extension CredentialsAPI.MemoryRefusal {
    fileprivate static func all(in shortfall: SecretMemoryShortfall) -> [CredentialsAPI.MemoryRefusal] {
        [
            shortfall.memfdSecret.map { Self(call: .memfdSecret, errno: Int64($0)) },
            shortfall.mlock.map { Self(call: .mlock, errno: Int64($0)) },
        ].compactMap { $0 }
    }
}

extension CredentialsAPI.Slot {
    /// Also printed by `relativityd --verify-vault --json`.
    package init(_ slot: VaultStatus.Slot) {
        self.init(
            id: slot.id,
            kind: "\(slot.kind)",
            label: slot.label,
            strength: CredentialsAPI.SlotStrength(twin: slot.strength),
            scryptLog2N: slot.log2N.map { Int64($0) },
            created: Int64(clamping: slot.created)
        )
    }
}

extension CredentialsAPI.ProviderFault {
    init(_ fault: ProviderFault) {
        self.init(
            code: Code(twin: fault.code),
            path: fault.path,
            number: fault.number.map { Int64($0) },
            detail: fault.detail
        )
    }
}

extension CredentialsAPI.AnchorNote {
    init(_ note: AnchorNote) {
        self.init(
            code: Code(twin: note.code),
            place: note.place,
            fault: note.fault.map(CredentialsAPI.ProviderFault.init),
            detail: note.detail
        )
    }
}

extension CredentialsAPI.Anchor {
    /// Also printed by `relativityd --verify-vault --json`.
    package init(_ status: AnchorStatus) {
        self.init(
            verdict: Verdict(status.verdict),
            found: status.verdict.suspectedGeneration.map { Int64(clamping: $0) },
            known: status.known.map { Int64(clamping: $0) },
            places: status.places.map { "\($0)" },
            notes: status.notes.map(CredentialsAPI.AnchorNote.init)
        )
    }
}

extension CredentialsAPI.Anchor.Verdict {
    fileprivate init(_ verdict: AnchorVerdict) {
        self =
            switch verdict {
            case .unanchored: .unanchored
            case .current: .current
            case .newer: .newer
            case .rollbackSuspected: .rollbackSuspected
            case .forkSuspected: .forkSuspected
            }
    }
}

extension CredentialsAPI.Login {
    /// Makes a record.
    ///
    /// - Parameter endpoint: its endpoint; nil if that is not in the list.
    init(_ login: Login, at endpoint: Endpoint?) throws {
        self.init(
            name: login.name,
            origin: login.origin == .configured ? .configured : .vault,
            endpoint: login.endpoint.text,
            endpointName: endpoint?.name,
            user: login.account.user,
            domain: login.account.domain.isEmpty ? nil : login.account.domain,
            schema: login.account.schema.isEmpty ? nil : login.account.schema,
            userKey: login.account.userKey.rawValue,
            extraKeys: login.account.extras.map(\.key),
            strength: CredentialsAPI.PinStrength(twin: login.pin.strength),
            authority: login.pin.authorityHost,
            pin: try Fingerprint(of: login.pin).text,
            allowPlaintext: login.pinned.allowsPlaintext,
            verified: login.pinned.isVerified,
            created: Int64(clamping: login.created)
        )
    }
}

extension CredentialsAPI.ImportedLogin {
    /// Makes a record.
    ///
    /// - Parameter endpoint: the endpoint on this machine, if it is known. The location in the file is untrusted.
    init(_ login: ImportedLogin, at endpoint: Endpoint?) {
        var reason: Reason?
        let verdict: Verdict
        switch login.verdict {
        case .added: verdict = .added
        case .unchanged: verdict = .unchanged
        case .conflict(let conflict):
            verdict = .conflict
            reason = Reason(twin: conflict)
        }
        self.init(
            login: login.name,
            endpoint: login.endpoint.text,
            name: endpoint?.name ?? login.location?.name,
            url: endpoint?.url.description ?? login.location?.url,
            verdict: verdict,
            reason: reason,
            needsAgreement: login.needsAgreement
        )
    }
}
