// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Synchronization

/// What the administrator says of servers' identities, to stand in place of the user's agreement.
package final class AdministratorsTrust: Sendable {
    package struct Word: Sendable, Hashable {
        /// The file that says it.
        package let file: String
        /// What the server has to prove; nil where the user has to agree.
        package let fingerprint: Fingerprint?
        /// Passwords may cross the network unencrypted to this address.
        package let allowsPlaintext: Bool

        package init(file: String, fingerprint: Fingerprint?, allowsPlaintext: Bool) {
            self.file = file
            self.fingerprint = fingerprint
            self.allowsPlaintext = allowsPlaintext
        }
    }

    private let words = Mutex<[EndpointID: Word]>([:])

    package init() {}

    package subscript(endpoint: EndpointID) -> Word? { words.withLock { $0[endpoint] } }

    /// Takes what the files say now for all that they said before.
    package func replace(_ new: [EndpointID: Word]) { words.withLock { $0 = new } }
}
