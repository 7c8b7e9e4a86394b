// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import Remoting

@Suite struct ExceptionFieldTests {
    @Test("class and message of an exception are decoded, whatever fields follow in whatever order")
    func reading() throws {
        let bare = RemotingException(className: "ScriptException", message: "x")
        let start = ReplyMessage.encode(bare, to: .example)
        for fields in ["", "0c000000" + "07000000" + "0100000041", "0100000041" + "0c000000" + "07000000", "ff"] {
            var message = start
            message.body.writeImmutableBuffer(ByteBuffer(hex: fields))
            for threshold in [nil, 0] {
                let bytes = message.encoded(compressingFrom: threshold)
                #expect(throws: RemotingError.exception(bare)) { try ReplyMessage.values(of: bytes) }
                #expect(try ReplyMessage.exception(in: bytes) == bare)
            }
        }
    }

    @Test("a stack trace is the text at the end, at most 16 KiB of it, and nothing else")
    func stackTrace() {
        func trace(_ rest: String, compressed: Bool = false) -> String? {
            var message = ReplyMessage.encode(RemotingException(className: "E", message: "m"), to: .example)
            message.body.writeImmutableBuffer(ByteBuffer(hex: rest))
            return ReplyMessage.stackTrace(in: message.encoded(compressingFrom: compressed ? 0 : nil))
        }
        #expect(trace("04000000" + "20206174") == "  at")
        #expect(trace("04000000" + "20206174", compressed: true) == "  at")
        for rest in ["", "00000000", "04000000" + "202061", "04000000" + "2020617400", "ffffffff", "01"] {
            #expect(trace(rest) == nil, "\(rest)")
        }
        let long = String(repeating: "61", count: 20_000)
        #expect(trace("204e0000" + long)?.utf8.count == 16_384)
        #expect(ReplyMessage.stackTrace(in: ByteBuffer()) == nil)
    }
}
