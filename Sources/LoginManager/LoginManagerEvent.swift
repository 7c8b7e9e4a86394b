// SPDX-License-Identifier: Apache-2.0

/// What logind tells that concerns a vault.
package enum LoginManagerEvent: Sendable {
    /// The machine is about to sleep or to hibernate. It waits for `delay` to end, nil where logind granted none.
    case sleeps(delay: SleepDelay?)
    case wakes
    /// A session of our user was told to lock, as a screen locker or `loginctl lock-session` does.
    case sessionLocks
}
