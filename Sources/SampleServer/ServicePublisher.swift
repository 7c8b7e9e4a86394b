// SPDX-License-Identifier: Apache-2.0

/// Announces a service on the link.
package protocol ServicePublisher: Sendable {
    /// Announces until `withdraw`; neither call waits.
    func publish(name: String, type: String, port: UInt16)

    func withdraw()
}
