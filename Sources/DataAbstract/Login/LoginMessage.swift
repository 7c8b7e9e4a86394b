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

    /// Calls `body` with a search for the password; it finds nothing once the bytes are wiped.
    func withEcho<Result>(_ body: (borrowing PasswordEcho) -> Result) -> Result {
        bytes.withUnsafeReadableBytes { body(PasswordEcho(of: UnsafeRawBufferPointer(rebasing: $0[password]))) }
    }
}
