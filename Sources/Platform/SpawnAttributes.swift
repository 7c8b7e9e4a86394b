// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// Attributes of a new program for posix_spawn(3). It starts with no signal blocked: threads of this process block
/// signals, and a program inherits the mask.
package struct SpawnAttributes: ~Copyable {
    private var value = posix_spawnattr_t()

    /// - Parameters:
    ///   - restored: signals that get their default action, even if this process ignores them; nil for all.
    ///   - ownGroup: whether the program gets its own process group, which the terminal's keys do not reach.
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
        // The C function takes a pointer to mutable memory, but only frees its content.
        var value = value
        posix_spawnattr_destroy(&value)
    }

    /// Calls `body` with the argument of posix_spawn.
    package func withPointer<Result>(_ body: (UnsafePointer<posix_spawnattr_t>) -> Result) -> Result {
        withUnsafePointer(to: value, body)
    }
}
