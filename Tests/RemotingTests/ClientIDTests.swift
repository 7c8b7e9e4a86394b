// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

@Suite struct ClientIDTests {
    @Test("every description of a ClientID is redacted")
    func redaction() {
        let id = ClientID.example
        var dumped = ""
        dump([id], to: &dumped)
        dump(MessageHeader(clientID: id), to: &dumped)
        for text in ["\(id)", String(reflecting: id), "\([id])", "\(MessageHeader(clientID: id))", dumped] {
            #expect(text.contains("<redacted>"))
            for trace in ["234567", "67452301", "19088743", "\(id.high)", "\(id.low)"] {
                #expect(!text.contains(trace))
            }
        }
    }

    @Test("the wire order is the Microsoft order of the text form")
    func text() {
        #expect(ClientID.example.revealedText() == "{01234567-89ab-cdef-0123-456789abcdef}")
        var bytes = ByteBuffer()
        bytes.writeClientID(.example)
        #expect(bytes.hex == "67452301ab89efcd0123456789abcdef")
        #expect(bytes.readClientID() == .example)
    }

    @Test("new ClientIDs differ, and a ClientID is made of exactly 16 bytes")
    func identity() {
        #expect(Set((0..<1000).map { _ in ClientID() }).count == 1000)
        #expect(ClientID(wireBytes: [UInt8](repeating: 1, count: 15)) == nil)
        #expect(ClientID(wireBytes: ByteBuffer(hex: "67452301ab89efcd0123456789abcdef").readableBytesView) == .example)
    }
}
