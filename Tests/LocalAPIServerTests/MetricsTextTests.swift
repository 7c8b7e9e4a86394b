// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LocalAPIServer

@Suite("Metrics as text")
struct MetricsTextTests {
    @Test("each metric has its help and type before its samples, and labels are escaped")
    func text() {
        var text = MetricsText()
        text.add(.counter, "calls_total", "Calls.\nOr \\ so.", 3)
        text.add(.gauge, "up", "Works.", samples: [(["name": "a\"b\\c\nd"], 1), (["name": "é", "more": ""], 0)])
        text.add(.gauge, "none", "Nothing.", samples: [])
        #expect(
            text.text == #"""
                # HELP relativityd_calls_total Calls.\nOr \\ so.
                # TYPE relativityd_calls_total counter
                relativityd_calls_total 3
                # HELP relativityd_up Works.
                # TYPE relativityd_up gauge
                relativityd_up{name="a\"b\\c\nd"} 1
                relativityd_up{name="é",more=""} 0
                # HELP relativityd_none Nothing.
                # TYPE relativityd_none gauge

                """#
        )
    }
}
