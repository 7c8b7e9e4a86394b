// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints

/// Which sessions there are and how many users each has, so that one ends with its last user and not under anybody's
/// feet. A user is an adapter, or the call that is opening one.
struct SharedSessions<Session: AnyObject> {
    enum Key: Hashable, Sendable {
        case login(LoginID)
        /// The same for a login that no vault is needed for.
        case configured(LoginID)
        case anonymous(EndpointID)
        /// One adapter's own, by a number that no other has; with the login that the vault is needed for.
        case own(Int, LoginID?)

        var needsVault: Bool { login != nil }

        /// The login of the vault's that it uses.
        var login: LoginID? {
            switch self {
            case .login(let id): id
            case .own(_, let id): id
            case .configured, .anonymous: nil
            }
        }

        var isOwn: Bool {
            if case .own = self { true } else { false }
        }
    }

    private struct Shared {
        let session: Session
        var users: Int
    }

    private var entries: [Key: Shared] = [:]

    /// Sessions that somebody uses.
    var usedCount: Int { entries.values.count { $0.users > 0 } }

    /// Counts a user more, of the session that there is or of a new one.
    mutating func take(_ key: Key, orMake make: () -> Session) -> Session {
        var shared = entries[key] ?? Shared(session: make(), users: 0)
        shared.users += 1
        entries[key] = shared
        return shared.session
    }

    func current(_ key: Key) -> Session? { entries[key]?.session }

    func isCurrent(_ session: Session, for key: Key) -> Bool { entries[key]?.session === session }

    /// Counts a user less.
    ///
    /// - Parameter isKept: whether the session is remembered although nobody uses it.
    /// - Returns: the session if it has to be closed now.
    mutating func release(_ session: Session, for key: Key, isKept: (Session) -> Bool) -> Session? {
        guard isCurrent(session, for: key), var shared = entries[key] else { return nil }
        shared.users -= 1
        entries[key] = shared
        return shared.users > 0 || isKept(session) ? nil : remove(key)
    }

    /// Remembers without a user what was one adapter's own, unless there is one under that key.
    ///
    /// - Returns: the session if it has to be closed now.
    mutating func keep(_ session: Session, as key: Key) -> Session? {
        guard entries[key] == nil else { return session }
        entries[key] = Shared(session: session, users: 0)
        return nil
    }

    /// Forgets a session that was remembered without a user.
    mutating func dropIfUnused(_ key: Key) {
        if entries[key]?.users == 0 { entries[key] = nil }
    }

    /// Takes a session away whoever uses it; the caller closes it.
    mutating func remove(_ key: Key) -> Session? {
        entries.removeValue(forKey: key)?.session
    }

    /// As `remove`, for all that somebody uses and whose key fits. What is remembered without a user stays.
    mutating func removeUsed(where isIncluded: (Key) -> Bool) -> [Session] {
        entries.filter { $0.value.users > 0 && isIncluded($0.key) }.keys.compactMap { remove($0) }
    }

    /// As `remove`, for all whose key fits.
    mutating func removeAll(where isIncluded: (Key) -> Bool) -> [Session] {
        entries.keys.filter(isIncluded).compactMap { remove($0) }
    }
}
