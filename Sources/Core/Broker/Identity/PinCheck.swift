// SPDX-License-Identifier: Apache-2.0

package import Endpoints
import Locks
import Platform

/// The decision whether a login that is bound to a pin may be sent to an endpoint now, and to which addresses.
enum PinCheck: Equatable {
    /// Connect to one of these addresses, in this order. Over TLS the server must still prove the pin.
    case connect([IPAddress])
    /// The endpoint does not match the pin.
    case conflict(StateReason)
    /// The data may not be sent to the endpoint's current address.
    case refused(PlaintextRefusal)

    /// - Parameters:
    ///   - candidates: the endpoint's current addresses, already checked against the source's address policy.
    ///   - permission: the permission for the data that is sent; nil if it is not secret. It counts for link-local
    ///     addresses, which are other machines on other links.
    ///   - interfaceOf: returns the interface of a link-local address.
    init(
        _ pin: Pin,
        scheme: ServerURL.Scheme,
        port: UInt16,
        candidates: [IPAddress],
        permission: PlaintextPermission? = nil,
        interfaceOf: (IPAddress) -> String? = { $0.interfaceName }
    ) {
        switch pin {
        case .tls, .authority:
            self = scheme == .https ? .connect(candidates) : .conflict(StateReason(code: .tlsGone))
        case .address(let address, let pinnedPort), .loopback(let address, let pinnedPort):
            guard scheme == .http else {
                self = .conflict(StateReason(code: .tlsNow, host: "\(address)"))
                return
            }
            let matches = candidates.filter { $0.bytes == address.bytes }
            guard port == pinnedPort, let first = matches.first else {
                self = .conflict(StateReason(code: .otherPlace, host: "\(address)", port: Int64(pinnedPort)))
                return
            }
            guard pin.isLinkLocal, let permission else {
                self = .connect([first])
                return
            }
            func refusal(at places: [IPAddress]) -> PlaintextRefusal? {
                PlaintextRule(pin, permission).refusal(knowing: [.interfaces(places.compactMap(interfaceOf))])
            }
            if let refusal = refusal(at: matches) {
                self = .refused(refusal)
            } else {
                self = .connect([matches.first { refusal(at: [$0]) == nil } ?? first])
            }
        }
    }
}

/// The current identity of an endpoint, and the address for which it is valid.
package struct ServerIdentity: Sendable, Hashable {
    /// The identity that the server has proved, or the address that stands for it.
    package let pin: Pin
    /// The server's address.
    package let address: IPAddress
    /// The server's port.
    package let port: UInt16
    /// The interface of a link-local address; nil for other addresses.
    package let interface: String?
    /// Whether the administrator has pinned this fingerprint.
    package internal(set) var isPinnedByAdministrator = false
    /// Whether the administrator permits plain HTTP to the server.
    package internal(set) var isPlaintextPermitted = false

    init(pin: Pin, address: IPAddress, port: UInt16) {
        self.pin = pin
        self.address = address
        self.port = port
        interface = address.interfaceName
    }
}

/// A pin as 32 bytes, which the user compares and a script passes with `--pin`.
///
/// For a TLS key: its SHA-256, as `openssl` prints it. For plain HTTP and for a host that an authority verifies: the
/// SHA-256 of the pin's canonical record, which is the same on every machine.
package struct Fingerprint: Sendable, Hashable {
    /// Bytes of a fingerprint.
    package static let byteCount = 32
    /// The 32 bytes.
    package let bytes: [UInt8]

    /// - Returns: nil unless there are 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The fingerprint of a pin.
    package init(of pin: Pin) {
        if case .tls(let digest) = pin {
            bytes = digest
        } else {
            bytes = SHA256.digest(of: pin.canonicalRecord)
        }
    }

    /// Parses 64 hexadecimal digits, with or without colons between the bytes and a leading `sha256:`.
    package init?(_ text: String) {
        guard let bytes = HexText.decodeDigest(text) else { return nil }
        self.bytes = bytes
    }

    /// Lower-case hexadecimal digits.
    package var text: String { HexText.encode(bytes) }

    /// The first 128 bits as eight pronounceable words of five letters, 16 bits each.
    package var words: String {
        stride(from: 0, to: 16, by: 2)
            .map { Self.word(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])) }
            .joined(separator: "-")
    }

    private static let consonants = Array("bdfghjklmnprstvz")
    private static let vowels = Array("aiou")

    /// Consonant, vowel, consonant, vowel, consonant: 4 + 2 + 4 + 2 + 4 bits.
    private static func word(_ bits: UInt16) -> String {
        String([
            consonants[Int(bits >> 12 & 15)],
            vowels[Int(bits >> 10 & 3)],
            consonants[Int(bits >> 6 & 15)],
            vowels[Int(bits >> 4 & 3)],
            consonants[Int(bits & 15)],
        ])
    }
}

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

    private let words = Lock<[EndpointID: Word]>([:])

    /// Without any entry until `replace` is called.
    package init() {}

    /// The entry for `endpoint`, if there is one.
    package subscript(endpoint: EndpointID) -> Word? { words.withLock { $0[endpoint] } }

    /// Replaces all entries by those that the files contain now.
    package func replace(_ new: [EndpointID: Word]) { words.withLock { $0 = new } }
}
