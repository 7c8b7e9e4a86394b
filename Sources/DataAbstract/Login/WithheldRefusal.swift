// SPDX-License-Identifier: Apache-2.0

/// The server refused a login by an exception of which nothing may be shown.
package enum WithheldRefusal: Error {
    /// It repeats the password.
    case repeatsPassword
    /// It is longer than what is searched for the password.
    case tooLong
}
