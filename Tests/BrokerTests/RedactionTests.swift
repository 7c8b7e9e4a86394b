// SPDX-License-Identifier: Apache-2.0

import RandomRuns
import Testing

/// Types mostly ensure that no error and no log line contains a secret. A `Secret` has no description, no encoding and
/// no conversion to a `String`, and no case of an error contains one. These tests cover the code that handles a
/// secret's bytes and fails, or shows text of a peer. `RandomRunTests` runs
/// more of them in an optimised program.
@Suite("Errors and logs without secrets")
struct RedactionTests {
    private static let runs = 2_000

    @Test("no way of printing a secret shows any of its bytes")
    func secret() throws {
        print(try SecretRuns.printed(Self.runs))
    }

    @Test("an invalid login message is refused with an error that does not contain its password")
    func refusedLogin() throws {
        print(try SecretRuns.refused(Self.runs))
    }
}
