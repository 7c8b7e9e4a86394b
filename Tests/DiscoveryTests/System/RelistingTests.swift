// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Discovery

@Suite("A list that must be read again", .timeLimit(.minutes(1)))
struct RelistingTests {
    @Test("the timeout for the start of a watch does not run while the list is read")
    func ownTime() async throws {
        func header(_ cluster: String) -> String { "\"header\":{\"cluster_id\":\"\(cluster)\",\"revision\":\"7\"}" }
        func created(after pause: Int64) -> ScriptedEtcd.Reply {
            ScriptedEtcd.Reply(
                pause: .milliseconds(pause),
                body: "{\"result\":{\(header("2")),\"created\":true}}\n",
                isOpen: true
            )
        }
        let server = try await ScriptedEtcd([
            ScriptedEtcd.Reply(pause: .zero, body: "{\(header("1"))}"),
            created(after: 1_200),
            ScriptedEtcd.Reply(pause: .milliseconds(1_200), body: "{\(header("2"))}"),
            created(after: 0),
        ])
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        var limits = EtcdLimits()
        limits.replyTimeout = .seconds(2)
        let source = EtcdSource(
            EtcdList(name: "fleet", servers: [server.url], prefix: "/fleet"),
            limits: limits,
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            pool: pool,
            lookUps: pool
        )
        let reader = SightingReader(source)
        try await reader.wait(for: .settled)
        #expect(!reader.heard.contains { if case .source(.down) = $0 { true } else { false } })
        source.stop()
        await reader.awaitEnd()
        server.stop()
        try await pool.shutdownGracefully()
    }
}
