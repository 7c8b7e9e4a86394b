// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Platform

@Suite("Owners of TCP sockets")
struct SocketOwnerTests {
    private static let words =
        "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode"
    private static let table = """
          \(words)
           0: 0100007F:1BBB 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 f 100
           1: 0100007F:1BBB 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 f 20
           2: 0100007F:9C40 0100007F:1BBB 01 00000000:00000000 00:00000000 00000000  1002        0 3 1 f 20
           3: 0100007F:1BBB 0100007F:9C41 01 00000000:00000000 00:00000000 00000000     0        0 0 1 f 20
           4: 0100007F:1BBB 0100007F:9C42 01 00000000:00000000 00:00000000 00000000  1003        0 0 1 f 20
        """
    private static let table6 = """
          \(words)
           0: 00000000000000000000000000000000:1BBB 00000000000000000000000000000000:0000 0A 0:0 0:0 0 7 0 1
           1: 00000000000000000000000001000000:1BBB 00000000000000000000000001000000:9C40 01 0:0 0:0 0 8 0 4
           2: 0000000000000000FFFF00000100007F:1BBB 0000000000000000FFFF00000100007F:9C43 01 0:0 0:0 0 9 0 5
        """

    private func end(_ port: UInt16, other: UInt16, version: Int = 4) throws -> TCPConnection {
        let address: [UInt8] = version == 4 ? [127, 0, 0, 1] : [UInt8](repeating: 0, count: 15) + [1]
        return try #require(TCPConnection(from: address, port: port, to: address, port: other))
    }

    @Test("a socket without an inode is unaccepted, whatever its uid")
    func inode() {
        #expect(SocketOwner(uid: 0, inode: 0) == .unaccepted)
        #expect(SocketOwner(uid: 1_000, inode: 0) == .unaccepted)
        #expect(SocketOwner(uid: 0, inode: 7) == .user(0))
        #expect(SocketOwner(uid: 1_000, inode: 7) == .user(1_000))
    }

    @Test("owner finds the owner of one end of a connection, and never that of a listener")
    func table() throws {
        let (four, six) = (TCPTable(Self.table), TCPTable(Self.table6))
        #expect(four.owner(of: try end(0x1BBB, other: 40_000)) == .user(1_001))
        #expect(four.owner(of: try end(40_000, other: 0x1BBB)) == .user(1_002))
        #expect(four.owner(of: try end(0x1BBB, other: 40_001)) == .unaccepted)
        #expect(four.owner(of: try end(0x1BBB, other: 40_002)) == .unaccepted)
        #expect(four.owner(of: try end(0x1BBB, other: 40_003)) == .none)
        #expect(four.owner(of: try end(0x1BBB, other: 0)) == .none)
        #expect(six.owner(of: try end(0x1BBB, other: 40_000, version: 6)) == .user(8))
        #expect(six.owner(of: try end(0x1BBB, other: 40_003)) == .user(9))
        #expect(six.owner(of: try end(0x1BBB, other: 40_000)) == .none)
    }

    @Test("owner ignores incomplete and malformed rows")
    func damage() throws {
        let end = try end(0x1BBB, other: 40_000)
        let texts = ["", "x", "a\nb", "a\n0: : : 01 0 0 0 0 0 0", "a\n0: 0100007F 0 01 0 0 0 0 0 0", "a\n\n\n"]
        for text in texts { #expect(TCPTable(text).owner(of: end) == .none, "\(text)") }
        for length in 0..<Self.table.utf8.count {
            let cut = TCPTable(String(decoding: Self.table.utf8.prefix(length), as: UTF8.self))
            #expect([.none, .user(1_001)].contains(cut.owner(of: end)))
        }
    }

    @Test("TCPConnection accepts two addresses of one family only")
    func families() {
        let (four, six) = ([UInt8](repeating: 1, count: 4), [UInt8](repeating: 1, count: 16))
        #expect(TCPConnection(from: four, port: 1, to: six, port: 1) == nil)
        #expect(TCPConnection(from: [1], port: 1, to: [1], port: 1) == nil)
        #expect(TCPConnection(from: six, port: 1, to: six, port: 1) != nil)
    }
}
