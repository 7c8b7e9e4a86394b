// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Signals taken one at a time by a thread that sleeps until one comes. Made before any other thread, so that all of
/// them leave the signals to it.
struct SignalWait {
    private var set = sigset_t()

    init(_ signals: [Int32]) {
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Blocks until a signal of the set arrives.
    func next() -> Int32 {
        var set = set
        var signal: Int32 = 0
        while sigwait(&set, &signal) != 0 {}
        return signal
    }
}
