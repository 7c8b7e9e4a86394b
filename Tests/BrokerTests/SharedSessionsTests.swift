// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Broker

@Suite struct SharedSessionsTests {
    private final class Session {}
    private let key: SharedSessions<Session>.Key

    init() throws {
        key = .anonymous(try #require(EndpointID("0123456789abcdef")))
    }

    @Test("a session is shared, and its last user returns it for closing")
    func sharing() {
        var sessions = SharedSessions<Session>()
        let one = sessions.take(key) { Session() }
        let other = sessions.take(key) { Session() }
        #expect(one === other)
        #expect(sessions.usedCount == 1)
        #expect(sessions.release(one, for: key) { _ in false } == nil)
        #expect(sessions.release(one, for: key) { _ in false } === one)
        #expect(sessions.release(one, for: key) { _ in false } == nil)
        #expect(sessions.usedCount == 0)
        #expect(sessions.take(key) { Session() } !== one)
    }

    @Test("a cached session has no user, can be used again, and can be dropped")
    func keeping() {
        var sessions = SharedSessions<Session>()
        let one = sessions.take(key) { Session() }
        #expect(sessions.removeIfUnused(key) == nil)
        #expect(sessions.release(one, for: key) { _ in true } == nil)
        #expect(sessions.usedCount == 0)
        #expect(sessions.take(key) { Session() } === one)
        #expect(sessions.release(one, for: key) { _ in true } == nil)
        #expect(sessions.removeIfUnused(key) === one, "the caller logs it out")
        #expect(sessions.current(key) == nil)
    }

    @Test("users of a removed session do not affect its successor")
    func successor() {
        var sessions = SharedSessions<Session>()
        let old = sessions.take(key) { Session() }
        #expect(sessions.removeAll { !$0.needsVault }.count == 1)
        let new = sessions.take(key) { Session() }
        #expect(sessions.release(old, for: key) { _ in false } == nil)
        #expect(sessions.isCurrent(new, for: key))
    }
}
