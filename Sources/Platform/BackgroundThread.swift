// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A dedicated thread for a library that blocks.
package enum BackgroundThread {
    /// Runs `body` on a new thread, which ends when `body` returns. All signals are blocked on it: the program's
    /// other threads handle them.
    ///
    /// - Returns: 0, or the errno of pthread_create(3).
    package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
        var everySignal = sigset_t()
        var before = sigset_t()
        sigfillset(&everySignal)
        // The new thread inherits the mask.
        pthread_sigmask(SIG_SETMASK, &everySignal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        var created = pthread_t()
        let retained = Unmanaged.passRetained(Body(run: body))
        let status = pthread_create(
            &created,
            nil,
            { userdata in
                if let userdata { Unmanaged<Body>.fromOpaque(userdata).takeRetainedValue().run() }
                return nil
            },
            retained.toOpaque()
        )
        guard status == 0 else {
            retained.release()
            return status
        }
        pthread_detach(created)
        return 0
    }

    /// The closure, boxed so that a pointer to it can pass through C.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
