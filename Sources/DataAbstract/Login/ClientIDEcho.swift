// SPDX-License-Identifier: Apache-2.0

import Platform
package import Remoting

/// Looks for a ClientID in what a server wrote, also in forms that `MessageScrubber` does not replace, such as Base64.
package enum ClientIDEcho {
    /// - Parameter text: of which as much is searched as `Printable` ever shows.
    package static func isFound(_ id: ClientID, in text: String) -> Bool {
        let wire = id.withWireBytes { Array($0) }
        let hyphens = id.revealedText().dropFirst().dropLast()
        let bare = hyphens.filter { $0 != "-" }
        let raw = [wire, HexText.decode(bare) ?? []]
        // A byte of 16 bits is looked for as the character that it then is.
        let wide = raw.map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        let texts = wide + [String(hyphens), hyphens.uppercased(), bare]
        return (raw + texts.map { Array($0.utf8) }).contains { form in
            form.withUnsafeBytes { PasswordEcho(of: $0).isFound(in: text) }
        }
    }
}
