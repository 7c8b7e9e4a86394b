// SPDX-License-Identifier: Apache-2.0

import Endpoints
import Testing

@testable import Discovery

@Suite("Changes of interfaces and clock")
struct NetworkDisturbanceTests {
    private static let up: UInt32 = 0x1 | 0x40

    @Test("a lost interface, carrier or address is a disturbance, and a new one is not")
    func kinds() {
        let datagram =
            message(16, link(3, flags: 0x1)) + message(16, link(4, flags: Self.up))
            + message(17, link(5, flags: Self.up))
            + message(21, address(2, on: 6)) + message(21, address(10, on: 7)) + message(20, address(2, on: 8))
        #expect(
            disturbances(in: datagram) == [
                NetworkDisturbance(interface: 3), NetworkDisturbance(interface: 5),
                NetworkDisturbance(interface: 6, family: .inet), NetworkDisturbance(interface: 7, family: .inet6),
            ]
        )
    }

    @Test("incomplete, empty and other messages are skipped, wherever they end")
    func damaged() {
        let datagram = message(21, address(2, on: 6)) + message(16, link(3, flags: 0))
        for length in 0..<datagram.count {
            #expect(disturbances(in: Array(datagram.prefix(length))).count <= 1)
        }
        #expect(disturbances(in: message(21, [])) == [])
        #expect(disturbances(in: message(21, address(17, on: 6))) == [])
        #expect(disturbances(in: [UInt8](repeating: 0, count: 64)) == [])
        #expect(disturbances(in: [UInt8](repeating: 0xFF, count: 64)) == [])
        #expect(disturbances(in: message(3, [1, 2, 3]) + message(21, address(2, on: 6))).count == 1, "padding")
    }

    @Test("the clock has jumped if the wall clock differs by 10 s from the other, in either direction, once")
    func clock() {
        var clock = ClockJump(wall: .seconds(1_000), monotonic: .seconds(1))
        let looks: [(wall: Int, monotonic: Int)] = [(1_105, 100), (4_105, 101), (4_106, 102), (4_096, 103)]
        let jumps = looks.map { clock.look(wall: .seconds($0.wall), monotonic: .seconds($0.monotonic)) }
        #expect(jumps == [false, true, false, true])
    }

    private func disturbances(in datagram: [UInt8]) -> [NetworkDisturbance] {
        datagram.withUnsafeBytes { NetworkDisturbance.all(in: $0) }
    }

    private func message(_ kind: UInt16, _ body: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        return bytes(of: UInt32(16 + body.count)) + bytes(of: kind) + [UInt8](repeating: 0, count: 10) + body + padding
    }

    /// `ifinfomsg`.
    private func link(_ interface: Int32, flags: UInt32) -> [UInt8] {
        bytes(of: UInt32(0)) + bytes(of: interface) + bytes(of: flags) + bytes(of: UInt32(0))
    }

    /// `ifaddrmsg`.
    private func address(_ family: UInt8, on interface: Int32) -> [UInt8] {
        [family, 24, 0, 0] + bytes(of: interface)
    }

    private func bytes<Value>(of value: Value) -> [UInt8] { withUnsafeBytes(of: value, Array.init) }
}
