// SPDX-License-Identifier: Apache-2.0

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
