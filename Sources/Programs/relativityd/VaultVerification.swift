// SPDX-License-Identifier: Apache-2.0

import Configuration
import Credentials
import Endpoints
import Glibc
import JSON
import LocalAPI
import LocalAPIServer
import Platform

/// `relativityd --verify-vault`: checks a vault's file without a daemon, prints the findings, and changes nothing.
struct VaultVerification {
    let options: VerificationOptions
    let environment: Environment

    /// Runs the check.
    ///
    /// - Returns: the exit status.
    /// - Throws: `PlatformError` if there is no home directory, or the terminal cannot be used for a prompt.
    func run() throws -> Int32 {
        let path = options.file ?? ""
        let directories = try Directories(environment)
        let inspection = VaultInspection(
            VaultOptions(DaemonConfiguration(), directories: directories, environment: environment)
        )
        var report = VaultReport(path: path)
        do throws(CredentialError) {
            let file = try inspection.look(at: path)
            report.file = file
            if let input = try input(for: file) {
                report.openedBy = input.kind
                report.verified = try inspection.open(file, with: input, anchor: options.anchor)
            } else if options.anchor != nil {
                throw .invalid(field: "anchor", reason: "it is compared with a key only: name one with --provider")
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
    private func input(for file: UnverifiedVault) throws(CredentialError) -> UnlockInput? {
        guard !options.isStructureOnly else { return nil }
        let hasPassphrase = file.slots.contains(where: \.hasPassphrase)
        switch options.provider ?? (hasPassphrase ? .passphrase : nil) {
        case nil: return nil
        case .passphrase:
            return try typed("passphrase", maximumBytes: SecretLineReader.maximumPassphraseBytes).map(
                UnlockInput.passphrase
            )
        case .recoveryCode:
            return try typed("recovery code", maximumBytes: RecoveryCode.maximumTextBytes).map(UnlockInput.recoveryCode)
        case let kind?: return .provider(kind)
        }
    }

    /// Prompts on the terminal, or reads one line of standard input.
    ///
    /// - Returns: nil if standard input is empty, unless the option names the kind of secret.
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

/// The findings of `relativityd --verify-vault`.
struct VaultReport {
    let path: String
    var file: UnverifiedVault?
    /// The provider that gave the key; nil if only the form was checked.
    var openedBy: KeyProviderKind?
    var verified: VerifiedVault?
    var fault: CredentialError?

    /// The problem: a fault of the file, or an anchor that contradicts it.
    var problem: CredentialError? { fault ?? verified?.anchor?.suspicion }

    var warnings: [String] {
        guard let file else { return [] }
        var warnings = file.warnings
        if verified == nil, fault == nil {
            warnings.append("only the form and the digest were checked: this does not show who wrote the file")
        }
        if let anchor = verified?.anchor {
            if anchor.verdict == .unanchored {
                warnings.append("no anchor of it was found: an older file in its place would not be noticed")
            }
            warnings += anchor.notes.map(\.description)
        }
        return warnings
    }

    /// The exit status according to the table of relctl(1).
    var exitStatus: Int32 {
        problem.map { DaemonError($0).code.row.exitStatus } ?? EXIT_SUCCESS
    }
}

extension VaultReport {
    /// The report as lines of `label: value`.
    var text: String {
        var lines: [(String, String)] = [("file", path)]
        if let file {
            lines += [
                ("place", file.isInPlace ? "the vault of this user" : "a copy, or another user's"),
                ("format", file.format),
                ("store id", file.storeID),
                ("generation", "\(file.generation)"),
                ("sha-256", file.hash),
                ("opened by", file.slots.map(Self.text).joined(separator: ", ")),
            ]
            if let weakest = file.slots.first(where: { $0.id == file.weakestSlot }) {
                lines.append(("weakest", Self.text(weakest)))
            }
        }
        if let verified, let openedBy {
            lines.append(("checked", "everything, with the key of \(openedBy)"))
            lines.append(("logins", "\(verified.loginCount)"))
            lines.append(("anchor", verified.anchor.map(Self.text) ?? "not compared: the file is not in its place"))
        }
        lines.append(("result", problem == nil ? (verified == nil ? "the form is right" : "sound") : "refused"))
        let width = lines.map(\.0.utf8.count).max() ?? 0
        let facts = lines.map { label, value in
            "\(label):\(String(repeating: " ", count: width - label.utf8.count + 1))\(Printable(value))\n"
        }
        return (facts + warnings.map { "warning: \(Printable($0))\n" }).joined()
    }

    private static func text(_ slot: VaultSlot) -> String {
        let label = slot.label.isEmpty ? "" : " \"\(slot.label)\""
        let cost = slot.scryptLog2N.map { ", scrypt N = 2^\($0)" } ?? ""
        return "\(slot.id) \(slot.kind)\(label) (\(slot.strength)\(cost))"
    }

    private static func text(_ anchor: AnchorStatus) -> String {
        let known = anchor.known.map { ", generation \($0) is known" } ?? ""
        return anchor.verdict.rawValue + known
    }

    /// The report as one JSON object on one line.
    var json: String {
        var object: JSONObject = ["file": .string(path), "status": .integer(Int64(exitStatus))]
        if let file {
            object["inPlace"] = .bool(file.isInPlace)
            object["format"] = .string(file.format)
            object["storeID"] = .string(file.storeID)
            object["generation"] = .integer(Int64(clamping: file.generation))
            object["sha256"] = .string(file.hash)
            object["slots"] = .array(file.slots.map { .object($0.json) })
            object["weakestSlot"] = file.weakestSlot.map { .string($0) }
        }
        if let openedBy, let verified {
            object["openedBy"] = .string("\(openedBy)")
            object["logins"] = .integer(Int64(verified.loginCount))
            object["anchor"] = verified.anchor.map { .object($0.json) }
        }
        object["checked"] = .string(verified == nil ? "structure" : "everything")
        object["warnings"] = .array(warnings.map { .string($0) })
        if let problem {
            object["error"] = ["message": .string("\(problem)")]
        }
        return String(decoding: JSONValue.object(object).serialized(), as: UTF8.self) + "\n"
    }
}

/// The options of `relativityd --verify-vault`.
struct VerificationOptions {
    static let names: Set = ["--verify-vault", "--provider", "--anchor", "--structure", "--json"]

    private(set) var file: String?
    /// The kind of slot to open. If nil, the passphrase is asked for if the vault has one.
    private(set) var provider: KeyProviderKind?
    /// The anchor file to compare with, instead of the anchors of the user's vault.
    private(set) var anchor: String?
    /// Whether only the form is checked, without a key.
    private(set) var isStructureOnly = false
    private(set) var isJSON = false
    private var first: String?

    /// Handles one option.
    ///
    /// - Parameters:
    ///   - option: one of `names`.
    ///   - value: the text after "=".
    ///   - next: takes the following argument.
    mutating func take(_ option: String, _ value: String?, _ next: () -> String?) throws(StartError) {
        first = first ?? option
        switch option {
        case "--structure" where value == nil: isStructureOnly = true
        case "--json" where value == nil: isJSON = true
        case "--structure", "--json": throw .usage("\(option) takes no value")
        default:
            guard let text = value ?? next(), !text.isEmpty else { throw .usage("\(option) needs a value") }
            switch option {
            case "--verify-vault": file = text
            case "--anchor": anchor = text
            default:
                guard let kind = KeyProviderKind(text) else {
                    throw .usage(
                        "--provider is one of \(KeyProviderKind.allCases.map(\.description).joined(separator: ", "))"
                    )
                }
                provider = kind
            }
        }
    }

    /// The request for these options.
    ///
    /// - Returns: nil if none of the options was given.
    var request: DaemonOptions.Request? {
        get throws(StartError) {
            guard let first else { return nil }
            guard file != nil else { throw .usage("\(first) goes with --verify-vault FILE") }
            guard !isStructureOnly || (provider == nil && anchor == nil) else {
                throw .usage("--structure looks at the form only, without a key or an anchor")
            }
            return .verify(self)
        }
    }
}
