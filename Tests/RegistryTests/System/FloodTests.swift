// SPDX-License-Identifier: Apache-2.0

import Endpoints
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Registry

@Suite("A flood of services", .timeLimit(.minutes(10)))
struct FloodTests {
    private static let services = 10_000
    /// In a debug build the large number takes too long for each run.
    private static let changes = Soak.count(20_000, soak: 100_000)
    private static let tellings = 8
    private let temporary = TemporaryDirectory()

    @Test("a flood takes bounded memory and little time, and a change of an added server is sent in two seconds")
    func flood() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let store = EndpointStore(directory: temporary.path, pool: .singleton)
        let registry = EndpointRegistry(loop: loop, store: store)
        let mine = try await registry.add(name: "mine", url: ServerURL(completing: "10.0.0.1"))
        let flood = Flood(
            services: Self.services,
            changes: Self.changes,
            favourite: try .made("mine", address: "10.0.0.1"),
            tellings: Self.tellings,
            loop: loop
        )
        let before = try PrivateMemory.own()
        let updates = try await registry.watch()
        async let delays = Self.delays(of: mine.id, in: updates)
        let duration = await ContinuousClock().measure { await registry.consume(flood, from: .avahi) }
        let grown = try PrivateMemory.own() - before
        let listing = await ContinuousClock().measure { _ = await registry.snapshot }
        let told = try await delays

        print(
            """
            \(Self.services) services and \(Self.changes) changes in \(duration): \(grown >> 10) KiB more, \
            the list made in \(listing), changes told after \(told)
            """
        )
        let list = await registry.snapshot.endpoints
        #expect(list.contains { $0.id == mine.id })
        #expect(list.count == RegistryLimits().discovered + 1)
        #expect(told.allSatisfy { $0 < .seconds(2) }, "\(told)")
        #expect(grown <= 32 << 20)
        // An optimised build takes less than 200 ms. A debug build takes several times as long, and more on a busy
        // machine.
        #expect(listing < .seconds(2))
    }

    /// Reads a watch until the last report of the observed server.
    ///
    /// - Returns: the delay of each report.
    private static func delays(
        of id: EndpointID,
        in updates: AsyncThrowingStream<RegistryUpdate, any Error>
    ) async throws -> [Duration] {
        var delays: [Duration] = []
        for try await case .change(_, let change) in updates where change.endpoint.id == id {
            let now = NIODeadline.now()
            for said in change.endpoint.txt.dropFirst(delays.count) {
                let nanoseconds = try #require(UInt64(String(decoding: said, as: UTF8.self)))
                delays.append(Duration(now - .uptimeNanoseconds(nanoseconds)))
            }
            if delays.count == tellings { break }
        }
        #expect(delays.count == tellings)
        return delays
    }
}
