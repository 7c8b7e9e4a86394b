// SPDX-License-Identifier: Apache-2.0

import JSON
import Testing

@testable import Credentials

@Suite("Buffer of the audit log")
struct AuditBufferTests {
    @Test("equal events are counted, different ones stored up to a limit, and the rest counted as lost")
    func flood() {
        var buffer = AuditBuffer()
        for _ in 0..<10_000 { _ = buffer.add(AuditEntry(.passwordUsed, .refused, peer: nil)) }
        #expect(buffer.lost == 0)
        for pid in 0..<10_000 {
            let process = CallingProcess(pid: Int32(pid) + 4_194_304)
            _ = buffer.add(AuditEntry(.adapterOpened, peer: AuditPeer(process)))
        }
        let taken = buffer.take()
        #expect(taken.count == AuditBuffer.capacity + 1)
        #expect(AuditBuffer.eventCount(of: taken) + buffer.lost == 20_000)
        guard case .entry(let told, _) = taken[0], case .entry(_, let times) = taken[1] else {
            Issue.record("no entries")
            return
        }
        #expect(told.event == .logLost && told.figures["events"]?.integerValue == Int64(buffer.lost))
        #expect(times == 10_000)
    }

    @Test("an event does not move across a change of keys, and only the first event needs a timer")
    func order() {
        var buffer = AuditBuffer()
        let entry = AuditEntry(.adapterOpened, peer: nil)
        let first = buffer.add(entry)
        let second = buffer.add(entry)
        buffer.add(keys: .close)
        let third = buffer.add(entry)
        #expect(first && !second && !third)
        let taken = buffer.take()
        #expect(taken.count == 3)
        let next = buffer.add(entry)
        #expect(next)
    }

    @Test("an event after a change of keys needs a timer if no event waits before it")
    func afterUnlock() {
        var buffer = AuditBuffer()
        buffer.add(keys: .close)
        let first = buffer.add(AuditEntry(.vaultUnlocked, peer: nil))
        let second = buffer.add(AuditEntry(.adapterOpened, peer: nil))
        #expect(first && !second)
    }

    @Test("a failed batch is lost, and the lost events that it recorded are lost again")
    func failedBatch() {
        var buffer = AuditBuffer()
        buffer.lose(5)
        _ = buffer.add(AuditEntry(.adapterOpened, peer: nil))
        buffer.failed(buffer.take())
        #expect(buffer.lost == 6)
        let taken = buffer.take()
        guard case .entry(let told, _)? = taken.first else {
            Issue.record("nothing is told")
            return
        }
        #expect(told.figures["events"] == 6)
    }
}
