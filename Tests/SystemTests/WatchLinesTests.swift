// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("What a watch prints of hidden servers")
struct WatchLinesTests {
    private func endpoint(_ id: String, hidden: Bool) -> RegistryAPI.Endpoint { .example(id, hidden: hidden) }

    @Test("one that gets hidden goes with a word, is silent, and comes back with a word")
    func hidden() {
        var lines = WatchLines(showsHidden: false)
        #expect(
            lines.line("snapshot", endpoint("a", hidden: false))
                == "present  a  announced  http://10.0.0.1:7099/bin  a\n"
        )
        #expect(lines.line("snapshot", endpoint("b", hidden: true)) == nil)
        #expect(
            lines.line("changed", endpoint("a", hidden: true)) == "hidden  a  announced  http://10.0.0.1:7099/bin  a\n"
        )
        #expect(lines.line("changed", endpoint("a", hidden: true)) == nil)
        #expect(lines.line("removed", endpoint("a", hidden: true)) == nil)
        #expect(
            lines.line("changed", endpoint("b", hidden: false))
                == "unhidden  b  announced  http://10.0.0.1:7099/bin  b\n"
        )
        #expect(
            lines.line("changed", endpoint("b", hidden: false))
                == "changed  b  announced  http://10.0.0.1:7099/bin  b\n"
        )
        #expect(
            lines.line("removed", endpoint("b", hidden: false))
                == "removed  b  announced  http://10.0.0.1:7099/bin  b\n"
        )
    }

    @Test("with --all, or for the one that was named, it is a server like any other")
    func all() {
        var lines = WatchLines(showsHidden: true)
        #expect(
            lines.line("snapshot", endpoint("a", hidden: true))
                == "present  a  announced  http://10.0.0.1:7099/bin  a\n"
        )
        #expect(
            lines.line("changed", endpoint("a", hidden: false))
                == "changed  a  announced  http://10.0.0.1:7099/bin  a\n"
        )
        #expect(
            lines.line("removed", endpoint("a", hidden: true)) == "removed  a  announced  http://10.0.0.1:7099/bin  a\n"
        )
    }
}
