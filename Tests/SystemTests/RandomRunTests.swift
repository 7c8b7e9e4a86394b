// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The optimised program that `make system` builds runs 20,000 rounds, a debug build fewer; `make soak` runs hundred
/// thousands.
@Suite("Random rounds")
struct RandomRunTests {
    private static let count = Products.released == nil ? 1_000 : 20_000

    @Test(
        "random values find no failure",
        arguments: [
            ("tables", 1), ("queries", 10), ("values", 10), ("damaged", 10), ("edits", 1), ("applies", 10),
        ]
    )
    func rounds(kind: String, divisor: Int) async throws {
        let rounds = Self.count / divisor
        let command = Command([Products.path(of: "random-probe"), kind, "\(rounds)"])
        print(try await command.succeed(deadline: .seconds(300)), terminator: "")
    }
}
