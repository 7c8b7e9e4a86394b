// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Synchronization

/// The identities of servers that the administrator has pinned. They replace the user's verification.
package final class AdministratorsTrust: Sendable {
    /// The administrator's entry for one endpoint.
    package struct Word: Sendable, Hashable {
        /// The file that contains the entry.
        package let file: String
        /// The fingerprint that the server must prove; nil if the user must verify the identity.
        package let fingerprint: Fingerprint?
        /// Whether passwords may be sent to this address unencrypted.
        package let allowsPlaintext: Bool

        /// Stores the entry as given.
        package init(file: String, fingerprint: Fingerprint?, allowsPlaintext: Bool) {
            self.file = file
            self.fingerprint = fingerprint
            self.allowsPlaintext = allowsPlaintext
        }
    }

    private let words = Mutex<[EndpointID: Word]>([:])

    /// Without any entry until `replace` is called.
    package init() {}

    /// The entry for `endpoint`, if there is one.
    package subscript(endpoint: EndpointID) -> Word? { words.withLock { $0[endpoint] } }

    /// Replaces all entries by those that the files contain now.
    package func replace(_ new: [EndpointID: Word]) { words.withLock { $0 = new } }
}
