// SPDX-License-Identifier: Apache-2.0

import Configuration
import Credentials
import Glibc
import Platform

/// `relativityd --verify-vault`: looks into a vault's file without a daemon, prints what it finds, and changes nothing.
struct VaultVerification {
    let options: VerificationOptions
    let environment: Environment

    /// - Returns: the exit status.
    /// - Throws: `PlatformError` where there is no home directory, or the terminal cannot be asked.
    func run() throws -> Int32 {
        let path = options.file ?? ""
        let directories = try Directories(environment)
        let inspection = VaultInspection(
            VaultOptions(DaemonConfiguration(), directories: directories, environment: environment)
        )
        var report = VaultReport(path: path)
        do throws(CredentialError) {
            let seen = try inspection.look(at: path)
            report.seen = seen
            if let offer = try offer(for: seen) {
                report.openedBy = offer.kind
                report.proven = try inspection.open(seen, with: offer, anchor: options.anchor)
            }
        } catch {
            report.fault = error
        }
        Main.write(options.isJSON ? report.json : report.text, to: STDOUT_FILENO)
        if let problem = report.problem {
            Main.write("relativityd: error: \(problem)\n", to: STDERR_FILENO)
        }
        return report.exitStatus
    }

    /// - Returns: nil to look at the form only.
    private func offer(for seen: SeenVault) throws(CredentialError) -> KeyOffer? {
        guard !options.isStructureOnly else { return nil }
        let hasPassphrase = seen.slots.contains { $0.kind == .passphrase }
        switch options.provider ?? (hasPassphrase ? .passphrase : nil) {
        case nil: return nil
        case .passphrase:
            return try typed("passphrase", maximumBytes: SecretLineReader.maximumPassphraseBytes).map(
                KeyOffer.passphrase
            )
        case .recoveryCode:
            return try typed("recovery code", maximumBytes: RecoveryCode.maximumTextBytes).map(KeyOffer.recoveryCode)
        case let kind?: return .provider(kind)
        }
    }

    /// Asks on the terminal, or takes one line of standard input.
    ///
    /// - Returns: nil if standard input ends at once, unless the secret was asked for by name.
    private func typed(_ what: String, maximumBytes: Int) throws(CredentialError) -> SharedSecret? {
        do throws(PlatformError) {
            let arena = try SecretArena()
            if isatty(STDIN_FILENO) == 1 {
                return SharedSecret(
                    try TerminalSecretReader.read(prompt: "\(what): ", maximumBytes: maximumBytes, in: arena)
                )
            }
            return SharedSecret(try SecretLineReader.read(from: STDIN_FILENO, maximumBytes: maximumBytes, in: arena))
        } catch {
            switch error {
            case .secretMissing where options.provider == nil: return nil
            case .secretMissing, .secretTooLong, .secretHasNUL:
                throw .invalid(field: "the \(what)", reason: "cannot be one: \(error)")
            default: throw .storage(error)
            }
        }
    }
}
