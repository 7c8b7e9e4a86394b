// SPDX-License-Identifier: Apache-2.0

import RandomRuns
import Testing

@Suite("Values in all formats")
struct ValueRunTests {
    @Test("random tables of every type are unchanged by imports, and have one text in all formats")
    func tables() async throws { print(try await ValueRuns.tables(100)) }
}
