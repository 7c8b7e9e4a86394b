// SPDX-License-Identifier: Apache-2.0

import EventLoops
package import NIOCore
import Remoting

/// An encoded LoginEx or Login call, with the place of the password in it.
package struct LoginMessage: Sendable {
    /// Holds the password until `wipe()`.
    package let bytes: ByteBuffer
    /// Where the password stands, in a login string with its quotes doubled; from the start of the readable bytes.
    let password: Range<Int>

    /// Overwrites the bytes, for everybody who shares them.
    package func wipe() {
        bytes.wipeSharedStorage()
    }

    /// Whether an exception of the server shows the password; always false once the bytes are wiped.
    func isRepeated(in exception: RemotingException) -> Bool {
        bytes.withUnsafeReadableBytes { message in
            let echo = PasswordEcho(of: UnsafeRawBufferPointer(rebasing: message[password]))
            return echo.isFound(in: exception.className) || echo.isFound(in: exception.message)
        }
    }
}
