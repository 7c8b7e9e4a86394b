// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@Suite("JSON")
struct JSONTests {
    @Test("one")
    func one() throws { #expect(try JSONValue(parsing: "1") == 1) }
}
