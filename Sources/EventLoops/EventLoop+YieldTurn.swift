// SPDX-License-Identifier: Apache-2.0

package import NIOCore

extension EventLoop {
    /// Returns after what waits on this loop has had its turn. `Task.yield` would go by way of the global executor.
    package func yieldTurn() async {
        await withCheckedContinuation { turn in
            execute { turn.resume() }
        }
    }
}
