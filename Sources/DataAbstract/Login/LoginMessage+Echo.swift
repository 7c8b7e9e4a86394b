// SPDX-License-Identifier: Apache-2.0

import NIOCore

extension LoginMessage {
    /// Whether a text of the server shows the password; always false once the bytes are wiped.
    ///
    /// - Parameter text: of which as much is searched as `Printable` ever shows.
    package func isRepeated(in text: String) -> Bool {
        bytes.withUnsafeReadableBytes { message in
            PasswordEcho(of: UnsafeRawBufferPointer(rebasing: message[password])).isFound(in: text)
        }
    }
}
