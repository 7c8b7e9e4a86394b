// SPDX-License-Identifier: Apache-2.0

import Platform

/// Runs calls into `Platform` and converts their errors to `CredentialError`.
func translated<R: ~Copyable>(_ body: () throws(PlatformError) -> R) throws(CredentialError) -> R {
    do throws(PlatformError) {
        return try body()
    } catch {
        throw CredentialError(error)
    }
}
