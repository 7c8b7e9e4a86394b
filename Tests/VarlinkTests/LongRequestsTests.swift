// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VarlinkService

@Suite("Long requests")
struct LongRequestsTests {
    @Test("a process has some at a time, and the others follow in their order")
    func turns() {
        var requests = LongRequests<String>(limit: 2)
        let entered = ["a", "b", "c", "d", "c", "a"].map { requests.enter($0, of: 1) }
        #expect(entered == [true, true, false, false, false, true])
        let other = requests.enter("e", of: 2)
        #expect(other)
        let first = requests.leave("b", of: 1)
        #expect(first == "c")
        let again = requests.enter("c", of: 1)
        #expect(again)
        let rest = ["a", "c", "d"].map { requests.leave($0, of: 1) }
        #expect(rest == ["d", nil, nil])
    }

    @Test("a connection that closes while it waits is forgotten")
    func closed() {
        var requests = LongRequests<String>(limit: 1)
        let entered = ["a", "b", "c"].map { requests.enter($0, of: 1) }
        #expect(entered == [true, false, false])
        let left = ["b", "x", "a"].map { requests.leave($0, of: 1) }
        #expect(left == [nil, nil, "c"])
    }
}
