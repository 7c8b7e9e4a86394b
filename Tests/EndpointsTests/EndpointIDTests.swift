// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@Suite("Endpoint IDs")
struct EndpointIDTests {
    @Test(
        "lower-case letters, digits and hyphens are accepted",
        arguments: ["a", "-", "0", "office-2", String(repeating: "z", count: 64)]
    )
    func accepted(text: String) {
        #expect(EndpointID(text)?.text == text)
        #expect(EndpointID(text)?.description == text)
    }

    @Test(
        "other characters are rejected",
        arguments: [
            "", "A", "a b", "a_b", "a.b", "a/b", "..", "a\n", "a\0", "é", "e\u{301}", "１", "\u{1B}[m",
            String(repeating: "z", count: 65),
        ]
    )
    func refused(text: String) {
        #expect(EndpointID(text) == nil)
    }
}
