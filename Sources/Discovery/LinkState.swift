// SPDX-License-Identifier: Apache-2.0

/// What the interface of a sighting is like when Avahi lets go of the sighting.
enum LinkState: Sendable {
    /// It has been there all the time: what is gone has said goodbye, or was not heard of for long.
    case steady
    /// It is there, and was not a moment ago; or the clock has jumped, by which Avahi lets its records expire.
    case shaken
    /// It is down, or has no address of the sighting's family.
    case away
}
