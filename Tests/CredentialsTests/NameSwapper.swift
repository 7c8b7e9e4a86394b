// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Locks
import TestSupport

/// Exchanges two names as fast as possible, on a separate thread.
final class NameSwapper: Sendable {
    private let names: (String, String)
    private let isStopped = Lock(false)

    init(_ one: String, _ other: String) {
        names = (one, other)
    }

    func stop() { isStopped.withLock { $0 = true } }

    /// Runs until `stop`. Then the names are the original ones.
    ///
    /// - Returns: the number of exchanges.
    func run() async throws -> Int {
        try await BlockingWork.run {
            var swaps = 0
            while !self.isStopped.withLock({ $0 }) || swaps % 2 != 0 {
                guard relx_exchange(AT_FDCWD, self.names.0, AT_FDCWD, self.names.1) == 0 else { return -1 }
                swaps += 1
            }
            return swaps
        }
    }
}
