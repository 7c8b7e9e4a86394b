// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Platform
package import Remoting

/// Looks for a ClientID in what a server wrote, also in forms that `MessageScrubber` does not replace, such as Base64.
package enum ClientIDEcho {
    /// - Parameter text: of which as much is searched as `Printable` ever shows.
    package static func isFound(_ id: ClientID, in text: String) -> Bool {
        forms(of: id).contains { form in form.withUnsafeBytes { PasswordEcho(of: $0).isFound(in: text) } }
    }

    /// - Parameter limit: how many bytes are searched.
    package static func isFound(_ id: ClientID, in bytes: ByteBuffer, limit: Int) -> Bool {
        forms(of: id).contains { form in
            form.withUnsafeBytes { form in
                bytes.withUnsafeReadableBytes { PasswordEcho(of: form).isFound(in: $0, limit: limit) }
            }
        }
    }

    private static func forms(of id: ClientID) -> [[UInt8]] {
        let wire = id.withWireBytes { Array($0) }
        let hyphens = id.revealedText().dropFirst().dropLast()
        let bare = hyphens.filter { $0 != "-" }
        let raw = [wire, HexText.decode(bare) ?? []]
        // A byte of 16 bits is looked for as the character that it then is.
        let wide = raw.map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        let texts = wide + [String(hyphens), hyphens.uppercased(), bare]
        return raw + texts.map { Array($0.utf8) }
    }
}
