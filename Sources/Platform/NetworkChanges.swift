// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The kernel's word that a link or an address of this machine has changed.
package enum NetworkChanges {
    /// - Returns: a socket that becomes readable with each change and does not block; the caller closes it. What it says is
    ///   of no use beyond that.
    package static func open() throws(PlatformError) -> Int32 {
        let descriptor = relx_watch_network()
        guard descriptor >= 0 else { throw .system(call: "socket", subject: "rtnetlink", errno: -descriptor) }
        return descriptor
    }
}
