// SPDX-License-Identifier: Apache-2.0

import Credentials
import Endpoints
import EventLoops
import NIOCore
import Remoting
import Services

/// The open sessions with the number of users of each, so that a session is closed when its last user has left, and
/// not before. A user is an adapter, or the call that is opening one.
struct SharedSessions<Session: AnyObject> {
    enum Key: Hashable, Sendable {
        case login(LoginID)
        /// A session of a login that does not need the vault.
        case configured(LoginID)
        case anonymous(EndpointID)
        /// The session of one adapter, by a unique number, with the login for which the vault is needed.
        case own(Int, LoginID?)

        var needsVault: Bool { login != nil }

        /// The login that it uses, if the login is stored in the vault.
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
    private var lastOwn = 0

    /// A key for the session of one adapter, unlike all others.
    mutating func ownKey(for login: LoginID?) -> Key {
        lastOwn += 1
        return .own(lastOwn, login)
    }

    /// Number of sessions that have users.
    var usedCount: Int { entries.values.count { $0.users > 0 } }

    /// Adds a user to the existing session or to a new one.
    mutating func take(_ key: Key, orMake make: () -> Session) -> Session {
        var shared = entries[key] ?? Shared(session: make(), users: 0)
        shared.users += 1
        entries[key] = shared
        return shared.session
    }

    func current(_ key: Key) -> Session? { entries[key]?.session }

    func isCurrent(_ session: Session, for key: Key) -> Bool { entries[key]?.session === session }

    /// Removes a user.
    ///
    /// - Parameter isKept: whether the session is remembered without a user.
    /// - Returns: the session if the caller must close it now.
    mutating func release(_ session: Session, for key: Key, isKept: (Session) -> Bool) -> Session? {
        guard isCurrent(session, for: key), var shared = entries[key] else { return nil }
        shared.users -= 1
        entries[key] = shared
        return shared.users > 0 || isKept(session) ? nil : remove(key)
    }

    /// Remembers the session of a single adapter without a user, unless there is another session under that key.
    ///
    /// - Returns: the session if the caller must close it now.
    mutating func keep(_ session: Session, as key: Key) -> Session? {
        guard entries[key] == nil else { return session }
        entries[key] = Shared(session: session, users: 0)
        return nil
    }

    /// As `remove`, for a session that was remembered without a user.
    mutating func removeIfUnused(_ key: Key) -> Session? { entries[key]?.users == 0 ? remove(key) : nil }

    /// Removes a session even if it has users; the caller closes it.
    mutating func remove(_ key: Key) -> Session? {
        entries.removeValue(forKey: key)?.session
    }

    /// As `remove`, for all sessions that have users and whose key matches. Sessions that are remembered without a
    /// user stay.
    mutating func removeUsed(where isIncluded: (Key) -> Bool) -> [Session] {
        entries.filter { $0.value.users > 0 && isIncluded($0.key) }.keys.compactMap { remove($0) }
    }

    /// As `remove`, for all sessions whose key matches.
    mutating func removeAll(where isIncluded: (Key) -> Bool) -> [Session] {
        entries.keys.filter(isIncluded).compactMap { remove($0) }
    }
}

/// Sessions without users, until they are logged out, which may take seconds.
struct RetiredSessions {
    /// Each session once, in the order of `add`. For one reader.
    let stream: AsyncStream<ServerSession>
    private let continuation: AsyncStream<ServerSession>.Continuation
    private var sessions: [ObjectIdentifier: ServerSession] = [:]

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    var isEmpty: Bool { sessions.isEmpty }

    /// The sessions that are not logged out yet.
    var remaining: [ServerSession] { Array(sessions.values) }

    mutating func add(_ session: ServerSession) {
        sessions[ObjectIdentifier(session)] = session
        continuation.yield(session)
    }

    /// The session is logged out.
    mutating func remove(_ session: ServerSession) { sessions[ObjectIdentifier(session)] = nil }

    /// Ends the stream.
    func finish() { continuation.finish() }
}

/// A session that a login has opened: its channel, ClientID and login service.
struct LiveSession {
    private static let logoutDeadline = Duration.seconds(2)
    private static let pause = Duration.milliseconds(50)

    let loop: any EventLoop
    let place: ServerPlace
    let channel: RemotingChannel
    let clientID: ClientID
    let loginService: String
    let generation: SessionState.Generation
    /// Removes the session's ClientID from replies.
    let scrubber: MessageScrubber

    init(
        loop: any EventLoop,
        place: ServerPlace,
        channel: RemotingChannel,
        clientID: ClientID,
        loginService: String,
        generation: SessionState.Generation
    ) {
        self.loop = loop
        self.place = place
        self.channel = channel
        self.clientID = clientID
        self.loginService = loginService
        self.generation = generation
        scrubber = MessageScrubber(hiding: clientID, behind: .zero)
    }

    /// Logs the session out. Retries if the connection breaks, for two seconds in total.
    ///
    /// - Returns: false if the server may not have received the logout.
    func logOut() async -> Bool {
        let service = LoginService(channel: channel, name: loginService)
        let end = NIODeadline.now() + TimeAmount(Self.logoutDeadline)
        while NIODeadline.now() < end {
            do {
                try await service.logout(clientID: clientID, deadline: Duration(end - .now()))
                return true
            } catch RemotingError.exception {
                return true
            } catch RemotingError.interrupted {
                guard (try? await loop.sleep(for: Self.pause)) != nil else { return false }
            } catch {
                return false
            }
        }
        return false
    }
}
