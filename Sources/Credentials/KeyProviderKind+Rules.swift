// SPDX-License-Identifier: Apache-2.0

extension KeyProviderKind {
    /// The order in which `relctl vault init` proposes them: the first that works. A key file is never proposed.
    package static let proposals: [KeyProviderKind] = [
        .credentialsDirectory, .systemdCreds, .secretService, .passphrase,
    ]

    /// Typed by a person, and so good on any machine; the others are kept outside the vault, one slot of each at most.
    package var isTyped: Bool { self == .passphrase || self == .recoveryCode }

    /// Orders kinds by what a thief with the disk has to overcome, the least first.
    var rank: Int {
        switch self {
        case .keyFile: 0
        case .secretService: 1
        case .passphrase: 2
        case .credentialsDirectory: 3
        case .systemdCreds: 4
        case .recoveryCode: 5
        }
    }
}
