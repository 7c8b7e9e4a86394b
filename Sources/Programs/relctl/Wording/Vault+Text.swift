// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI

extension CredentialsAPI.SlotStrength {
    /// What protects a key slot at rest, as a phrase.
    var text: String {
        // Both have the same words: a test compares them.
        SlotStrength(rawValue: rawValue)?.description ?? rawValue
    }
}

extension CredentialsAPI.ProviderFault {
    /// Why a key provider does not work, as a part of a sentence, safe for a terminal.
    var text: Printable { Printable(again: "\(fault)") }

    fileprivate var fault: ProviderFault {
        ProviderFault(
            // Both have the same words: a test compares them.
            ProviderFault.Code(rawValue: code.rawValue) ?? .error,
            path: path,
            number: number.flatMap { Int(exactly: $0) },
            detail: detail
        )
    }
}

extension CredentialsAPI.AnchorNote {
    /// A sentence, safe for a terminal.
    var text: Printable {
        let word: AnchorNote.Code =
            switch code {
            case .malformed: .malformed
            case .otherVault: .otherVault
            case .wrongTag: .wrongTag
            case .unreadable: .unreadable
            case .notKept: .notKept
            }
        return Printable(again: "\(AnchorNote(word, in: place, fault: fault?.fault, detail: detail))")
    }
}

extension CredentialsAPI.Vault {
    /// What may read the secrets in memory, and why; nil if the kernel refused no protection.
    var memoryNote: String? {
        guard !memoryRefusals.isEmpty else { return nil }
        let reasons = memoryRefusals.map(\.text).joined(separator: "; ")
        return memoryRefusals.contains { $0.call == .mlock }
            ? "secrets may be swapped out (\(reasons)); raise the limit of locked memory, LimitMEMLOCK= in the unit"
            : "secrets cannot be swapped out, but debuggers of the kernel and hibernation see them (\(reasons))"
    }
}

extension CredentialsAPI.MemoryRefusal {
    fileprivate var text: String {
        let name =
            switch call {
            case .memfdSecret: "memfd_secret"
            case .mlock: "mlock"
            }
        return "\(name): \(String(cString: strerror(Int32(clamping: errno))))"
    }
}

extension CredentialsAPI.ImportedLogin.Reason {
    /// Why a login of an import was left out, as a clause.
    var text: String {
        switch self {
        case .otherIdentity: "its endpoint shows another identity here"
        case .otherEndpoint: "the name is that of another endpoint's login"
        case .otherUser: "user, domain or schema is another here"
        case .otherKeys: "its extra keys are others here"
        case .otherPassword: "the password is another here"
        case .vaultChanged: "the vault was changed meanwhile"
        }
    }
}
