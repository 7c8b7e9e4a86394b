// SPDX-License-Identifier: Apache-2.0

import EventLoops
import TestSupport
import Testing

@Suite("Lines of callers that take turns")
struct TurnstileTests {
    private typealias Lines = TurnstileLines<String>

    @Test("several callers have their turn at a time if the turnstile is wider")
    func width() {
        var lines = Lines(width: 2)
        let entered = (0..<5).map { _ in lines.enter("a") }
        let tickets = entered.map(\.ticket)
        #expect(entered.map(\.hasTurn) == [true, true, false, false, false])
        #expect(lines.leave(tickets[1]) == tickets[2])
        #expect(lines.leave(tickets[3]) == nil)
        #expect(lines.disperse(tickets[2]) == [tickets[4]])
        #expect(lines.isEmpty)
    }

    @Test("for any order of events, each queue has exactly one active caller")
    func random() {
        var random = SeededRandom(seed: 7)
        var lines = Lines()
        var going: [String: Lines.Ticket] = [:]
        var waiting: [Lines.Ticket] = []
        for _ in 0..<10_000 {
            let key = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4:
                let (ticket, hasTurn) = lines.enter(key)
                #expect(hasTurn == (going[key] == nil))
                if hasTurn { going[key] = ticket } else { waiting.append(ticket) }
            case 4:
                guard let ticket = waiting.randomElement(using: &random) else { continue }
                #expect(lines.disperse(ticket).isEmpty && lines.leave(ticket) == nil && lines.leave(ticket) == nil)
                waiting.removeAll { $0 == ticket }
            case 5:
                guard let first = going[key] else { continue }
                #expect(lines.disperse(first) == waiting.filter { $0.line == key })
                waiting.removeAll { $0.line == key }
                going[key] = nil
            default:
                guard let first = going[key] else { continue }
                let next = waiting.first { $0.line == key }
                #expect(lines.leave(first) == next)
                waiting.removeAll { $0 == next }
                going[key] = next
            }
        }
        for ticket in waiting + going.values { #expect(lines.leave(ticket) == nil) }
        #expect(lines.isEmpty)
    }
}
