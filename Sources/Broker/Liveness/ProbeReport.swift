// SPDX-License-Identifier: Apache-2.0

package import Registry

/// What a probe that somebody asked for has met.
package struct ProbeReport: Sendable, Hashable {
    package let contact: Contact
    /// From the first look-up or connection to the outcome; a second attempt is part of it.
    package let took: Duration
}
