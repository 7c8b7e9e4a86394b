// SPDX-License-Identifier: Apache-2.0

/// The server refused a login by an exception that repeats the password: nothing of its text may be shown.
package struct RepeatedPassword: Error {}
