// SPDX-License-Identifier: Apache-2.0

import Platform

extension PlatformError {
    /// The next step, for those whose text has none. Wrong usage leads to the help of the verb.
    var hint: Hint? {
        switch self {
        case .arenaExhausted: "ulimit -l"
        case .crypto: "relctl version"
        case .noTerminal: .helpOfVerb
        case .secretTooLong, .secretHasNUL, .secretMissing, .notARecoveryCode: nil
        case .noHome, .system, .tooLarge, .unsafePermissions, .noRuntimeDirectory: nil
        }
    }
}
