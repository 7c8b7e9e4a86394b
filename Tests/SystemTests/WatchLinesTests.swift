// SPDX-License-Identifier: Apache-2.0

import LocalAPI
import Testing

@testable import relctl

@Suite("Hidden servers in a watch")
struct WatchLinesTests {
    /// A moment of the current day, in local time.
    private let moment = Moment(argument: "2026-01-31T12:30:01") ?? .now

    private func endpoint(_ id: String, hidden: Bool) -> RegistryAPI.Endpoint { .example(id, hidden: hidden) }

    @Test("a server that becomes hidden is reported once, is silent, and is reported when it is shown again")
    func hidden() {
        var lines = WatchLines(showsHidden: false, .plain)
        for (kind, id, isHidden, word) in [
            ("snapshot", "a", false, "present"), ("snapshot", "b", true, nil), ("changed", "a", true, "hidden"),
            ("changed", "a", true, nil), ("removed", "a", true, nil), ("changed", "b", false, "unhidden"),
            ("changed", "b", false, "changed"), ("removed", "b", false, "removed"),
        ] as [(String, String, Bool, String?)] {
            let line = lines.line(kind, endpoint(id, hidden: isHidden), at: moment)
            #expect(line == word.map { "12:30:01  \($0)  \(id)  announced  http://10.0.0.1:7099/bin  \(id)\n" })
        }
    }

    @Test("a moment is printed as a local date and time")
    func momentText() {
        #expect(Moment(argument: "2026-01-31T12:30:01")?.text == "2026-01-31 12:30:01")
    }

    @Test("of the list after a lost connection, only what has changed is printed")
    func again() {
        var lines = WatchLines(showsHidden: false, .plain)
        func text(_ endpoints: [RegistryAPI.Endpoint]) -> [String] {
            let reply = RegistryAPI.WatchReply(kind: .snapshot, revision: 1, endpoints: endpoints)
            return lines.text(of: reply, at: moment).split(separator: "\n").map { String($0.dropFirst(10)) }
        }
        let (a, b) = (endpoint("a", hidden: false), endpoint("b", hidden: false))
        #expect(text([a, b]).map { $0.prefix(10) } == ["present  a", "present  b"])
        #expect(text([a, b]).isEmpty)
        var renamed = b
        renamed.name = "c"
        #expect(
            text([renamed]) == [
                "changed  b -> c  announced  http://10.0.0.1:7099/bin  b",
                "removed  a  announced  http://10.0.0.1:7099/bin  a",
            ]
        )
        #expect(text([renamed, a]) == ["added  a  announced  http://10.0.0.1:7099/bin  a"])
    }

    @Test("with --all, or if it was named, it is a server like any other")
    func all() {
        var lines = WatchLines(showsHidden: true, .plain)
        for (kind, isHidden, word, mark) in [
            ("snapshot", true, "present", ""), ("changed", false, "changed", "  (hidden)"),
            ("removed", true, "removed", ""),
        ] {
            let line = lines.line(kind, endpoint("a", hidden: isHidden), at: moment)
            #expect(line == "12:30:01  \(word)  a  announced  http://10.0.0.1:7099/bin  a\(mark)\n")
        }
    }

    @Test("a change shows the old and the new value, and names other changed members")
    func changes() throws {
        var lines = WatchLines(showsHidden: false, .plain)
        _ = lines.line("snapshot", .example("a"), at: moment)
        var endpoint = RegistryAPI.Endpoint.example("a", "b\u{7}", .reachable, at: "10.0.0.2")
        endpoint.dataService = "Other"
        endpoint.txt = ["v=1"]
        #expect(
            lines.line("changed", endpoint, at: moment)
                == #"12:30:01  changed  a -> b\u{7}  announced -> reachable  http://10.0.0.1:7099/bin -> http://10.0.0.2:7099/bin"#
                + "  a  (data service, txt)\n"
        )
        #expect(lines.line("changed", endpoint, at: moment)?.contains("->") == false)
    }
}
