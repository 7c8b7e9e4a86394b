// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Testing

@testable import DataAccess

@Suite("The life of a watch")
struct WatchLifeTests {
    private static let outage = DataAdapterError.interrupted(reason: "")

    @Test("a server that cannot be reached is tried after 1 s, 2 s and so on up to 30 s, until it answers")
    func outage() throws {
        var life = WatchLife()
        life.read()
        for _ in 0..<2 {
            #expect(!life.isOffline && !life.answered())
            let pauses = try (0..<7).map { _ in try life.failed(Self.outage) }
            #expect(pauses == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
            #expect(life.isOffline && life.answered() && !life.answered())
        }
        #expect(try life.failed(DataAdapterError.timedOut) == .seconds(1))
    }

    @Test(
        "other errors, and any before the first reading, end the watch",
        arguments: [
            DataAdapterError.unreachable(reason: ""), .closed, .overloaded, .malformed(reason: ""), .httpStatus(502),
        ]
    )
    func ends(error: DataAdapterError) {
        var life = WatchLife()
        #expect(throws: Self.outage) { try life.failed(Self.outage) }
        life.read()
        #expect(throws: error) { try life.failed(error) }
        #expect(!life.isOffline)
    }
}
