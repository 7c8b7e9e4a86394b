// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// logind's promise to wait with sleep: a descriptor that logind waits to see closed, for as long as its
/// `InhibitDelayMaxSec` allows, usually five seconds.
package final class SleepDelay: Sendable {
    private let descriptor: Mutex<Int32>

    /// - Parameter descriptor: ours from now on.
    init(owning descriptor: Int32) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        end()
    }

    /// Lets the machine sleep. A second call does nothing.
    package func end() {
        descriptor.withLock {
            if $0 >= 0 { close($0) }
            $0 = -1
        }
    }
}
