// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Platform
import Remoting
import TestSupport

/// Finds parts of a login and ClientIDs in bytes, in the forms in which a client could send them.
struct CredentialSearch {
    private var needles: [(name: String, bytes: [UInt8])] = []

    mutating func add(_ name: String, _ secret: [UInt8]) {
        let hex = HexText.encode(secret)
        var forms: [(String, [UInt8])] = [
            ("as it is", secret), ("in UTF-16", secret.flatMap { [$0, 0] }), ("in hexadecimal", Array(hex.utf8)),
            ("in hexadecimal capitals", Array(hex.uppercased().utf8)),
            ("percent-encoded", Array(secret.map { "%" + HexText.encode([$0]) }.joined().utf8)),
        ]
        // Base64 of a text within other bytes has three forms. The characters that depend on the neighbours are cut
        // off.
        for lead in 0..<3 {
            let text = Base64.encode([UInt8](repeating: 0, count: lead) + secret)
            let inner = Array(text.utf8).dropFirst(lead == 0 ? 0 : 4).prefix((secret.count - (3 - lead) % 3) / 3 * 4)
            forms.append(("in base64", Array(inner)))
        }
        needles += forms.map { ("\(name) \($0.0)", $0.1) }
    }

    mutating func add(_ id: ClientID) {
        add("a ClientID", id.withWireBytes { Array($0) })
        let text = id.revealedText().lowercased()
        let digits = text.filter(\.isHexDigit)
        for form in [text, text.uppercased(), digits, digits.uppercased()] {
            needles.append(("a ClientID as text", Array(form.utf8)))
        }
    }

    /// The parts that occur in the bytes, or in a compressed message within them.
    func findings(in bytes: [UInt8]) -> [String] {
        ([bytes] + Self.inflated(bytes)).flatMap { bytes in
            needles.filter { bytes.contains(bytes: $0.bytes) }.map(\.name)
        }
    }

    private static func inflated(_ bytes: [UInt8]) -> [[UInt8]] {
        let start = Array("RO107".utf8) + [1]
        var limits = WireLimits()
        limits.message = 4 << 20
        return bytes.indices.dropLast(start.count).filter { bytes[$0] == start[0] && bytes[$0...].starts(with: start) }
            .compactMap { index in
                // Later bytes of the same connection are not part of the message.
                for end in [bytes.count]
                    + bytes.indices.filter({ $0 > index && bytes[$0...].starts(with: [80, 79, 83, 84]) })
                {
                    if let message = try? BinMessage(decoding: ByteBuffer(bytes: bytes[index..<end]), limits: limits) {
                        return Array(message.body.readableBytesView)
                    }
                }
                return nil
            }
    }
}
