// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Glibc
import LocalAPI
import Platform

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

/// What follows if the vault's file is gone or not used.
extension CredentialsAPI.Vault {
    /// Whether the vault is not used because other users could have changed its file or directory.
    var isUnsafe: Bool { error == DaemonError.Code.unsafeStore.rawValue }

    /// Whether another program has removed or renamed the file.
    var isFileMissing: Bool { missesFile { access(path, F_OK) == 0 } }

    /// - Parameter exists: whether the file is there.
    func missesFile(_ exists: () -> Bool) -> Bool {
        switch error.flatMap(DaemonError.Code.init(rawValue:)) {
        case .vaultAbsent, .vaultDamaged: problem != nil && !exists()
        default: false
        }
    }

    /// The command that saves the logins or restores the copy of the file; nil if both are gone.
    var rescue: String? {
        switch state {
        case .absent: nil
        case .sealed, .locked: "cp -pn \(ShellWord.quote(path + ".prev")) \(ShellWord.quote(path))"
        case .unlocked: "relctl vault export --out logins.rcv"
        }
    }

    /// The ways to a vault if there is no copy.
    static let waysWithoutCopy = "relctl vault restore BACKUP, or relctl vault init for a new vault"
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
