// SPDX-License-Identifier: Apache-2.0

package import Endpoints

/// The identity that the user agreed to for one endpoint, and what is allowed to it.
package struct PinnedEndpoint: Sendable, Hashable {
    package let endpoint: EndpointID
    package internal(set) var pin: Pin
    /// The password may go unencrypted to the pinned address, on the network `networkID`.
    package internal(set) var allowsPlaintext: Bool
    /// 32 bytes; nil when the network could not be named.
    package internal(set) var networkID: [UInt8]?

    static let networkIDByteCount = 32

    private enum Tag {
        static let endpoint: UInt16 = 1
        static let pin: UInt16 = 2
        static let flags: UInt16 = 3
        static let networkID: UInt16 = 4
    }

    private static let plaintextFlag: UInt32 = 1

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(field: Tag.endpoint, endpoint.text.utf8)
        writer.append(field: Tag.pin, pin.canonicalRecord)
        writer.append(field: Tag.flags, allowsPlaintext ? Self.plaintextFlag : 0)
        if let networkID { writer.append(field: Tag.networkID, networkID) }
        return writer.bytes
    }

    /// - Parameter networkID: 32 bytes, or nil.
    package init(endpoint: EndpointID, pin: Pin, allowsPlaintext: Bool, networkID: [UInt8]?) {
        self.endpoint = endpoint
        self.pin = pin
        self.allowsPlaintext = allowsPlaintext
        self.networkID = networkID
    }

    init(_ record: VaultRecord) throws(CredentialError) {
        guard let endpoint = EndpointID(try record.string(Tag.endpoint)) else { throw .damaged(.record("endpoint id")) }
        guard let pin = Pin(canonicalRecord: try record.value(Tag.pin)) else { throw .damaged(.record("pin")) }
        let flags: UInt32 = try record.integer(Tag.flags)
        guard flags & ~Self.plaintextFlag == 0 || record.isFromNewerMinor else { throw .damaged(.record("pin flags")) }
        networkID = record.optionalValue(Tag.networkID).map(Array.init)
        guard networkID == nil || networkID?.count == Self.networkIDByteCount else {
            throw .damaged(.record("network id"))
        }
        self.endpoint = endpoint
        self.pin = pin
        allowsPlaintext = flags & Self.plaintextFlag != 0
    }
}
