// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// How a new program starts, for posix_spawn(3): with no signal blocked, which our threads and our verbs do and which would
/// be inherited.
package struct SpawnAttributes: ~Copyable {
    private var value = posix_spawnattr_t()

    /// - Parameters:
    ///   - restored: signals that do in it what they do by default, even if this process ignores them; nil for all.
    ///   - ownGroup: whether it is out of reach of the terminal's keys, in a process group of its own.
    package init(restoring restored: [Int32]? = nil, ownGroup: Bool = false) {
        posix_spawnattr_init(&value)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&value, &signals)
        if let restored {
            for signal in restored { sigaddset(&signals, signal) }
        } else {
            sigfillset(&signals)
        }
        posix_spawnattr_setsigdefault(&value, &signals)
        posix_spawnattr_setpgroup(&value, 0)
        let group = ownGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&value, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group))
    }

    deinit {
        // The library takes a pointer to mutable memory and only frees what is in it.
        var value = value
        posix_spawnattr_destroy(&value)
    }

    /// Calls `body` with what posix_spawn takes.
    package func withPointer<Result>(_ body: (UnsafePointer<posix_spawnattr_t>) -> Result) -> Result {
        withUnsafePointer(to: value, body)
    }
}
