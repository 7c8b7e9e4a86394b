// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The mark by which tools of systemd 262 and later, such as `varlinkctl list-sockets`, find the sockets of Varlink
/// services: the extended attribute that `XAttrEntryPoint=user.varlink=entrypoint` sets, systemd.socket(5).
package enum VarlinkMark {
    /// Marks the file of a socket. Failures have no consequences; Linux before 7.1 and many file systems always fail.
    ///
    /// - Parameter path: the path of a socket of this process. A symbolic link is not followed.
    /// - Returns: 0, or the error number, such as `EPERM`.
    @discardableResult
    package static func set(at path: String) -> Int32 { -relx_set_attribute(path, "user.varlink", "entrypoint") }
}
