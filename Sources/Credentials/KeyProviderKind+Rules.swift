// SPDX-License-Identifier: Apache-2.0

extension KeyProviderKind {
    /// The order of preference in which `relctl vault init` tries the kinds; it proposes the first that works. A key
    /// file is never proposed.
    package static let proposals: [KeyProviderKind] = [
        .credentialsDirectory, .systemdCreds, .secretService, .passphrase,
    ]

    /// Whether the user types the secret, so that it works on any machine. The other kinds are stored outside the
    /// vault, with at most one slot of each.
    package var isTyped: Bool { self == .passphrase || self == .recoveryCode }

    /// Orders the kinds by the obstacle for a thief who has the disk, the weakest first.
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
