// SPDX-License-Identifier: Apache-2.0

import Broker
import Credentials
import Endpoints
import LocalAPI
import Platform
import Registry

extension CredentialsAPI.Vault {
    init(_ status: VaultStatus) {
        self.init(
            state: status.state,
            path: status.path,
            generation: status.generation.map { Int64(clamping: $0) },
            format: status.format,
            slots: status.slots,
            weakestSlot: status.weakestSlot,
            anchor: status.anchor,
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
            passwordCommand: login.command?.command.arguments,
            commandAgreed: login.command?.isAgreed,
            strength: login.pin.strength,
            authority: login.pin.authorityHost,
            pin: Fingerprint(of: login.pin).text,
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
        var reason: ImportConflict?
        let verdict: Verdict
        switch login.verdict {
        case .added: verdict = .added
        case .unchanged: verdict = .unchanged
        case .conflict(let conflict):
            verdict = .conflict
            reason = conflict
        }
        self.init(
            login: login.name,
            endpoint: login.endpoint.text,
            name: endpoint?.name ?? login.location?.name,
            url: endpoint?.url.description ?? login.location?.url,
            verdict: verdict,
            reason: reason,
            passwordCommand: login.command?.arguments,
            needsAgreement: login.needsAgreement
        )
    }
}
