// SPDX-License-Identifier: Apache-2.0

import Synchronization
import VarlinkService

/// The latest figures of the server that this is a part of: it learns them as they change.
final class APIUsage: Sendable {
    private let figures = Mutex(VarlinkUsage())

    var latest: VarlinkUsage { figures.withLock { $0 } }

    func note(_ usage: VarlinkUsage) { figures.withLock { $0 = usage } }
}
