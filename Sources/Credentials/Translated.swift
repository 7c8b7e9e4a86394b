// SPDX-License-Identifier: Apache-2.0

import Platform

/// Runs calls into `Platform` and gives their failures this module's cases.
func translated<R: ~Copyable>(_ body: () throws(PlatformError) -> R) throws(CredentialError) -> R {
    do throws(PlatformError) {
        return try body()
    } catch {
        throw CredentialError(error)
    }
}
