// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A thread of its own, for a library that blocks.
package enum BackgroundThread {
    /// Runs `body` on a new thread, which ends with it. Signals belong to the program's own threads: none is delivered to
    /// this one.
    ///
    /// - Returns: 0, or the errno of why there is no such thread.
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

    /// What can be passed through C.
    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}
