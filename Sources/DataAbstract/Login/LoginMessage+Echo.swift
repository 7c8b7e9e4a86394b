// SPDX-License-Identifier: Apache-2.0

package import NIOCore
import Remoting

extension LoginMessage {
    /// Whether a text of the server shows the password; always false once the bytes are wiped.
    ///
    /// - Parameter text: of which as much is searched as `Printable` ever shows.
    package func isRepeated(in text: String) -> Bool {
        withEcho { $0.isFound(in: text) }
    }

    /// Whether bytes of the server show the password; always false once the bytes of the message are wiped.
    ///
    /// - Parameter limit: how many bytes are searched.
    package func isRepeated(in text: ByteBuffer, limit: Int) -> Bool {
        text.withUnsafeReadableBytes { text in withEcho { $0.isFound(in: text, limit: limit) } }
    }

    /// Whether an exception of the server shows the password; always false once the bytes of the message are wiped.
    func isRepeated(in exception: RemotingException) -> Bool {
        withEcho { $0.isFound(in: exception.className) || $0.isFound(in: exception.message) }
    }
}
