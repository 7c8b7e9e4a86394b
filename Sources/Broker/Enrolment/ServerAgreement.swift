// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// Agreement of the user to the identity of a server, and to plain HTTP where the server has no TLS.
package protocol ServerAgreement: Sendable {
    /// By what the server is to be known; nil for what is usual there.
    var trust: ServerTrust? { get }

    /// Returns if the user agrees, and throws if not.
    func agree(to proposal: ServerProposal) async throws
}
