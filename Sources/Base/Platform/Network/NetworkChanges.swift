// SPDX-License-Identifier: Apache-2.0

import CLinux

/// Notifications of the kernel that a link or an address of this machine has changed (rtnetlink(7)).
package enum NetworkChanges {
    /// - Returns: a non-blocking socket that becomes readable with each change; the caller closes it. The content of
    ///   the messages is not needed.
    package static func open() throws(PlatformError) -> Int32 {
        let descriptor = relx_watch_network()
        guard descriptor >= 0 else { throw .system(call: "socket", subject: "rtnetlink", errno: -descriptor) }
        return descriptor
    }
}
