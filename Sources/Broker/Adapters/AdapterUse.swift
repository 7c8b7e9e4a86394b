// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// When an adapter was used last. It has a place of its own because each call notes it, and what else is known of an
/// adapter is large to move.
final class AdapterUse {
    private var last: NIODeadline
    /// Calls that are being answered: as long as there is one, the adapter is in use.
    private var calls = 0

    init(_ time: NIODeadline) {
        last = time
    }

    var time: NIODeadline { calls > 0 ? .now() : last }

    func beginCall() {
        calls += 1
    }

    func endCall() {
        calls -= 1
        last = .now()
    }
}
