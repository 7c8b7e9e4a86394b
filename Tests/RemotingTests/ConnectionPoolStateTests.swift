// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Remoting

@Suite struct ConnectionPoolStateTests {
    @Test("the most recently used connection serves first; when the pool is full, calls wait in FIFO order")
    func order() {
        var pool = ConnectionPoolState(capacity: 2, waitingLimit: 2)
        #expect(pool.request(1, fresh: false) == .open)
        #expect(pool.request(2, fresh: false) == .open)
        #expect(pool.request(3, fresh: false) == .wait)
        #expect(pool.request(4, fresh: false) == .wait)
        #expect(pool.request(5, fresh: false) == .refuse)
        #expect(pool.returned(10) == .lend(10, to: 3))
        #expect(pool.lost(11) == .letOpen(4))
        #expect(pool.returned(10) == .nobody)
        #expect(pool.returned(12) == .nobody)
        #expect(pool.request(6, fresh: false) == .use(12))
        #expect(pool.request(7, fresh: false) == .use(10))
    }

    @Test("a fresh connection replaces the one that has been idle longest")
    func fresh() {
        var pool = ConnectionPoolState(capacity: 2, waitingLimit: 2)
        _ = pool.request(1, fresh: false)
        _ = pool.request(2, fresh: false)
        _ = pool.returned(10)
        _ = pool.returned(11)
        #expect(pool.request(3, fresh: true) == .replace(10))
        #expect(pool.lost(10) == .nobody)
        #expect(pool.request(4, fresh: true) == .replace(11))
        #expect(pool.request(5, fresh: true) == .wait)
    }

    @Test("an abandoned call gets no connection")
    func abandoned() {
        var pool = ConnectionPoolState(capacity: 1, waitingLimit: 2)
        _ = pool.request(1, fresh: false)
        _ = pool.request(2, fresh: false)
        _ = pool.request(3, fresh: false)
        pool.abandoned(2)
        #expect(pool.lost(nil) == .letOpen(3))
    }

    @Test("stepAside frees a slot for a waiting call; the connection closes on return if the pool is full")
    func aside() {
        var pool = ConnectionPoolState(capacity: 1, waitingLimit: 2)
        #expect(pool.request(1, fresh: false) == .open)
        #expect(pool.request(2, fresh: false) == .wait)
        #expect(pool.stepAside(10) == .letOpen(2))
        #expect(pool.stepAside(10) == .nobody)
        #expect(pool.request(3, fresh: false) == .wait)
        #expect(pool.returned(10) == .close(10))
        #expect(pool.lost(10) == .nobody)
        #expect(pool.stepAside(11) == .letOpen(3))
        #expect(pool.returned(12) == .nobody)
        #expect(pool.returned(11) == .close(11))
        #expect(pool.lost(12) == .nobody)
        #expect(pool.returned(11) == .nobody)
        #expect(pool.request(4, fresh: false) == .use(11))
    }

    @Test("at most four times the capacity can be set aside")
    func asideLimit() {
        var pool = ConnectionPoolState(capacity: 2, waitingLimit: 2)
        for connection in 0..<8 {
            #expect(pool.request(connection, fresh: false) == .open)
            #expect(pool.stepAside(connection) == .nobody)
        }
        for connection in 8..<10 {
            #expect(pool.request(connection, fresh: false) == .open)
            #expect(pool.stepAside(connection) == nil)
        }
        #expect(!pool.isExhausted)
        #expect(pool.request(10, fresh: false) == .wait)
        #expect(pool.isExhausted)
        #expect(pool.lost(0) == .nobody)
        #expect(!pool.isExhausted)
        #expect(pool.stepAside(8) == .letOpen(10))
    }

    @Test("no order of events opens more connections than the capacity", arguments: 0..<50)
    func capacity(seed: Int) {
        var numbers = SeededRandom(seed: UInt64(seed))
        var pool = ConnectionPoolState(capacity: 3, waitingLimit: 4)
        var (leased, idle, next) = ([Int](), [Int](), 0)
        var aside: Set<Int> = []
        func handed(_ handover: ConnectionPoolState.Handover, back connection: Int?) {
            switch handover {
            case .nobody: if let connection { idle.append(connection) }
            case .lend(let connection, _): leased.append(connection)
            case .letOpen:
                next += 1
                leased.append(next)
            case .close(let connection):
                #expect(aside.remove(connection) != nil)
                handed(pool.lost(connection), back: nil)
            }
        }
        for call in 0..<400 {
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0, 1:
                switch pool.request(call, fresh: call % 7 == 0) {
                case .use(let connection):
                    #expect(idle.contains(connection))
                    idle.removeAll { $0 == connection }
                    leased.append(connection)
                case .open:
                    next += 1
                    leased.append(next)
                case .replace(let connection):
                    idle.removeAll { $0 == connection }
                    handed(pool.lost(connection), back: nil)
                    next += 1
                    leased.append(next)
                case .wait, .refuse: break
                }
            case 2 where !leased.isEmpty:
                let connection = leased.removeFirst()
                let handover = pool.returned(connection)
                if handover == .nobody { aside.remove(connection) }
                handed(handover, back: connection)
            case 3 where !leased.isEmpty:
                let connection = leased.removeLast()
                aside.remove(connection)
                handed(pool.lost(connection), back: nil)
            case 4 where !leased.isEmpty && aside.count < 12:
                let connection = leased[0]
                guard aside.insert(connection).inserted else { break }
                handed(pool.stepAside(connection) ?? .nobody, back: nil)
            default: break
            }
            #expect(leased.count + idle.count - aside.count <= 3)
            #expect(leased.count + idle.count <= 15)
        }
    }
}
