// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

/// The options of `relativityd --verify-vault`.
struct VerificationOptions {
    static let names: Set = ["--verify-vault", "--provider", "--anchor", "--structure", "--json"]

    private(set) var file: String?
    /// What opens the vault; nil takes its passphrase, where it has one.
    private(set) var provider: KeyProviderKind?
    /// An anchor to hold the file against, instead of those of the vault in its place.
    private(set) var anchor: String?
    /// No key is asked for.
    private(set) var isStructureOnly = false
    private(set) var isJSON = false
    private var first: String?

    /// - Parameters:
    ///   - option: one of `names`.
    ///   - value: what stood behind "=".
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
