// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Standard input, output and error of a program that may have been started without them.
package enum StandardDescriptors {
    /// Opens /dev/null for each that is closed. Otherwise the next file or socket would get its number, and be
    /// written to.
    ///
    /// Call first in `main`.
    package static func ensureOpen() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = open("/dev/null", O_RDWR)
        }
    }
}
