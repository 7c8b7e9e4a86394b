// SPDX-License-Identifier: Apache-2.0

import Testing

/// A rule of concurrency that a file breaks for a reason.
private struct Exception {
    let file: String
    let count: Int
    let reason: String

    static func counts(of exceptions: [Exception]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: exceptions.map { ($0.file, $0.count) })
    }
}

@Suite("Concurrency")
struct ConcurrencyTests {
    private static let tasks = [
        Exception(file: "Sources/Varlink/VarlinkService/ConnectionHandler.swift", count: 1, reason: "a call"),
        Exception(file: "Sources/Core/Broker/Adapters/AdapterHandler.swift", count: 1, reason: "a tool's request"),
        Exception(
            file: "Sources/Core/Broker/Sessions/ServerSession.swift",
            count: 1,
            reason: "awaited at once, not cancelled"
        ),
        Exception(
            file: "Sources/Relativity/Remoting/Server/RemotingServer.swift",
            count: 1,
            reason: "a client's request"
        ),
        Exception(
            file: "Sources/Programs/relativityd-data/Browse/BrowserActions.swift",
            count: 1,
            reason: "an action of the user, who can cancel it"
        ),
        Exception(
            file: "Sources/Programs/relativityd-data/JobProcess.swift",
            count: 2,
            reason: "the job itself; calls that are awaited at once, not cancelled"
        ),
        Exception(
            file: "Sources/Programs/relativityd-data/Serve/ServeProcess.swift",
            count: 1,
            reason: "the service itself"
        ),
        Exception(file: "Sources/Programs/relativityd/DaemonProcess.swift", count: 1, reason: "the daemon itself"),
        Exception(file: "Sources/Programs/relativity-sample-server/Main.swift", count: 1, reason: "the server itself"),
    ]

    private static let unchecked = [
        Exception(
            file: "Sources/Base/Locks/Lock.swift",
            count: 2,
            reason: "under ThreadSanitizer, a value guarded by a pthread mutex"
        ),
        Exception(
            file: "Sources/Base/Platform/Secrets/SecretArena.swift",
            count: 1,
            reason: "blocks guarded by a mutex"
        ),
        Exception(
            file: "Sources/Core/Discovery/Avahi/AvahiLoop.swift",
            count: 1,
            reason: "touched by Avahi's thread alone"
        ),
        Exception(
            file: "Sources/Varlink/VarlinkService/InboundBytes.swift",
            count: 1,
            reason: "given up when handed out"
        ),
    ]

    private static let isolated = [
        Exception(
            file: "Sources/Base/EventLoops/EventLoop+Actor.swift",
            count: 4,
            reason: "callbacks of an actor's loop"
        ),
        Exception(
            file: "Sources/Core/Discovery/Avahi/AvahiUser.swift",
            count: 2,
            reason: "callbacks on Avahi's thread"
        ),
        Exception(file: "Sources/Core/Broker/LoopNeighbours.swift", count: 13, reason: "actors of the broker's loop"),
    ]

    @Test("the isolation of an actor is assumed only in the listed places")
    func isolatedPlaces() throws {
        // Without a closure it is the method of NIO, on a loop or a future.
        let found = try SourceLine.all(in: "Sources").filter { $0.text.contains(/assumeIsolated(?!\(\))/) }
        #expect(Self.counts(of: found) == Exception.counts(of: Self.isolated))
    }

    @Test("a callback returns to its own actor")
    func ownActor() throws {
        let calls = try SourceLine.all(in: "Sources").filter { $0.text.contains(".reenter(") }
        #expect(calls.count > 5, "the calls are found")
        for line in calls { #expect(line.text.contains(".reenter(self)"), "\(line.place): \(line.text)") }
    }

    @Test("a task is created only in the listed places, and never without an executor")
    func taskPlaces() throws {
        let pattern = /\bTask(?:\.(?!checkCancellation)\w+)? *(?:<[^>]*> *)?[({]/
        let found = try SourceLine.all(in: "Sources").filter { line in
            line.text.contains(pattern) && !line.text.contains("-> Task<")
        }
        #expect(Self.counts(of: found) == Exception.counts(of: Self.tasks))
        for line in found {
            #expect(line.text.contains("Task(executorPreference: "), "\(line.place)")
        }
    }

    @Test("no code uses the global executor, Dispatch or a clock that sleeps")
    func globalExecutor() throws {
        let forbidden =
            /Task\.(detached|sleep)|Dispatch(Queue|Source|Semaphore|Group)|Clock\(?\)?\.sleep|globalConcurrentExecutor/
        for line in try SourceLine.all(in: "Sources") {
            #expect(!line.text.contains(forbidden), "\(line.place): \(line.text)")
        }
    }

    @Test("every construct that the compiler does not check is listed with its safeguard")
    func uncheckedPlaces() throws {
        let pattern = /@unchecked Sendable|nonisolated\(unsafe\)|@preconcurrency|unsafeBitCast|assumeIsolated\(file/
        let found = try SourceLine.all(in: "Sources").filter { $0.text.contains(pattern) }
        #expect(Self.counts(of: found) == Exception.counts(of: Self.unchecked))
    }

    @Test("a mutex is a Lock, which ThreadSanitizer can follow")
    func mutexes() throws {
        let pattern = /\bMutex *[<(]|pthread_mutex_t|NIOLock/
        let found = try ["Sources", "Tests", "Fuzz"].flatMap { try SourceLine.all(in: $0) }.filter { line in
            line.path != "Tests/BoundaryTests/ConcurrencyTests.swift" && line.text.contains(pattern)
        }
        #expect(Set(found.map(\.path)) == ["Sources/Base/Locks/Lock.swift"])
    }

    private static func counts(of lines: [SourceLine]) -> [String: Int] {
        Dictionary(lines.map { ($0.path, 1) }, uniquingKeysWith: +)
    }
}
