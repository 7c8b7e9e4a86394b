// SPDX-License-Identifier: Apache-2.0

import Glibc

/// SIGTERM and SIGINT, kept for `wait`. To be made before any other thread, which then inherits the mask.
struct AwaitedSignals {
    private var set = sigset_t()

    init() {
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Returns when one of them has come, also one that came before the call.
    func wait() {
        var set = set
        var number: Int32 = 0
        while sigwait(&set, &number) != 0 {}
    }
}
