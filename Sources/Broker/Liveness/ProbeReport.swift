// SPDX-License-Identifier: Apache-2.0

package import Registry

/// The result of a probe that a caller requested.
package struct ProbeReport: Sendable, Hashable {
    /// The result.
    package let contact: Contact
    /// Time from the first look-up or connection to the result, including a second attempt.
    package let took: Duration
}
