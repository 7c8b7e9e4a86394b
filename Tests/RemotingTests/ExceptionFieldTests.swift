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

    @Test("a BinMessage omits the fields of an exception, and JSON contains them by name")
    func writing() throws {
        let fields = [NamedValue("left", .integer(3)), NamedValue("Article", .utf8String("x"))]
        let stock = RemotingException(className: "EStock", message: "out", fields: fields)
        #expect(
            ReplyMessage.encode(stock, to: .example).body.hex == "06000000" + "4553746f636b" + "03000000" + "6f7574"
        )
        var catalog = StructCatalog()
        catalog.define("EStock", [.init("Article", .utf8String), .init("left", .integer)])
        do {
            _ = try JSONReply.values(of: JSONReply.encode(stock, to: .example), [], catalog)
            Issue.record("no exception")
        } catch RemotingError.exception(let read) {
            #expect(Set(read.fields) == Set(fields))
        }
    }
}
