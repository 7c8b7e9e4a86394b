// SPDX-License-Identifier: Apache-2.0

import Glibc
import Locks
import TestSupport
import Testing

@Suite(
    "Servers with hostile replies and the release daemon",
    .enabled(if: Requirement.allMet([.root, .program("/usr/bin/python3")]), "needs root and Debian's python3"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct HostileServerTests {
    /// On an idle machine the longest wait for either is a few milliseconds. The wait for other processes does not
    /// count. A debug build takes ten times as long.
    private static let factor = Products.released == nil ? 10 : 1
    private static let patience = (
        status: Duration.milliseconds(50 * factor), lock: Duration.milliseconds(100 * factor)
    )
    private static let mega = 1 << 20
    /// Enough memory to try a passphrase: a fast machine chooses a cost of 512 MiB.
    private static let group = 1_024 * mega

    @Test("while each of them is handled the daemon responds immediately, and locks immediately")
    func speed() async throws {
        let hostile = try await HostileServer()
        var slowest = (status: Duration.zero, lock: Duration.zero)
        for number in 0..<hostile.replies {
            let socket = try await hostile.open()
            // The server makes the reply once.
            try await HostileServer.take("\(number)", of: socket)
            let status = try await fastest(below: Self.patience.status, tries: 10) {
                try await Self.longestStatus(hostile) {
                    try await HostileServer.take("\(number)", of: socket)
                }
            }
            let lock = try await fastest(below: Self.patience.lock) {
                let fresh = try await hostile.open()
                async let bytes = HostileServer.take("\(number)", of: fresh)
                _ = try await hostile.time(of: "org.relativityd.Manager.GetStatus")
                let time = try await hostile.time(of: "org.relativityd.Credentials.Lock")
                _ = try? await bytes
                return time
            }
            #expect(status < Self.patience.status, "reply \(number)")
            #expect(lock < Self.patience.lock, "reply \(number)")
            slowest = (max(slowest.status, status), max(slowest.lock, lock))
        }
        print("\(hostile.replies) hostile replies: status within \(slowest.status), lock within \(slowest.lock)")
        try await hostile.end()
    }

    /// The longest duration of a call to the daemon itself while `work` ran.
    private static func longestStatus(
        _ hostile: HostileServer,
        while work: @escaping @Sendable () async throws -> Void
    ) async throws -> Duration {
        let isOver = Lock(false)
        async let working: Void = {
            defer { isOver.withLock { $0 = true } }
            try await work()
        }()
        var longest = Duration.zero
        repeat {
            longest = max(longest, try await hostile.time(of: "org.relativityd.Manager.GetStatus"))
        } while !isOver.withLock { $0 }
        try await working
        return longest
    }

    @Test("a reply of 200 MB costs the daemon at most 4 MiB")
    func large() async throws {
        let hostile = try await HostileServer()
        let socket = try await hostile.open()
        try await HostileServer.take("megabytes 8", of: socket)
        try hostile.forgetPeak()
        let before = try hostile.memory("VmRSS")
        #expect(try await HostileServer.take("megabytes 200", of: socket) > 200 * Self.mega)
        let cost = try hostile.memory("VmHWM") - before
        print("a reply of 200 MB: \(cost >> 10) KiB")
        #expect(cost <= 4 * Self.mega)
        try await hostile.end()
    }

    @Test(
        "twenty tools that do not read their tables cost at most 4 MiB each, delay no other tool, and leave nothing"
    )
    func stalled() async throws {
        let hostile = try await HostileServer()
        let socket = try await hostile.open()
        try await HostileServer.take("megabytes 8", of: socket)
        let idle = try await hostile.connections()
        try hostile.forgetPeak()
        let before = try hostile.memory("VmRSS")
        var streams = try (0..<20).map { _ in try HostileServer.ask("megabytes 64", of: socket) }
        // The server cannot send data that the tools do not read.
        try await eventually { try await hostile.connections() >= 20 }
        #expect(try await HostileServer.take("megabytes 1", of: socket) > Self.mega)
        try await hostile.deployment.success("login", "test", Deployment.login)
        #expect(try await hostile.connections() >= 20)
        let cost = try hostile.memory("VmHWM") - before
        print("20 tools that do not read: \(cost >> 10) KiB")
        #expect(cost <= 20 * 4 * Self.mega)
        streams.removeAll()
        try await eventually { try await hostile.connections() <= idle + 2 }
        try await hostile.end()
    }

    @Test("all of them together fit into a cgroup of 1 GiB, and the daemon responds")
    func cgroup() async throws {
        let group = ControlGroup(bytes: Self.group)
        if group == nil { print("no cgroup can be made here: the peak of the daemon's memory alone is looked at") }
        let hostile = try await HostileServer(wrapper: group?.wrapper ?? [])
        let socket = try await hostile.open()
        for number in 0..<hostile.replies { try await HostileServer.take("\(number)", of: socket) }
        try hostile.forgetPeak()
        let before = try hostile.memory("VmRSS")
        for _ in 0..<2 {
            try await withThrowingTaskGroup { tasks in
                for number in 0..<hostile.replies {
                    tasks.addTask { _ = try await HostileServer.take("\(number)", of: socket) }
                }
                try await tasks.waitForAll()
            }
        }
        let cost = try hostile.memory("VmHWM") - before
        _ = try await hostile.time(of: "org.relativityd.Manager.GetStatus")
        print("\(hostile.replies) hostile replies at once: \(cost >> 20) MiB, \(group?.kills ?? 0) killed")
        #expect(cost < 128 * Self.mega)
        if let group { #expect(group.kills == 0) }
        try await hostile.end()
        try await eventually { group?.remove() != false }
    }
}
