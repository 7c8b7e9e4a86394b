// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI

extension CredentialsAPI.Vault {
    /// A warning about protection of memory that the kernel refused, with the reasons; nil if it refused none.
    var memoryNote: String? {
        guard !memoryRefusals.isEmpty else { return nil }
        let reasons = memoryRefusals.map(\.text).joined(separator: "; ")
        return memoryRefusals.contains { $0.call == .mlock }
            ? MemoryText.swappable(reasons)
            : "secrets cannot be swapped out, but kernel debuggers and hibernation can read them (\(reasons))"
    }
}

/// The sentence on memory that may be swapped out, in the notes of the daemon and of the vault.
enum MemoryText {
    static func swappable(_ reasons: String) -> String {
        "secrets may be swapped out (\(reasons)); raise the limit of locked memory, LimitMEMLOCK= in the unit"
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

extension ImportConflict {
    /// The reason why a login of an import was left out, as a clause.
    var text: String {
        switch self {
        case .otherIdentity: "its endpoint has another identity here"
        case .otherEndpoint: "the name is that of another endpoint's login"
        case .otherUser: "user, domain or schema differs here"
        case .otherKeys: "its extra keys differ here"
        case .otherCommand: "its password command differs here"
        case .otherPassword: "the password differs here"
        case .vaultChanged: "the vault was changed in the meantime"
        }
    }
}
